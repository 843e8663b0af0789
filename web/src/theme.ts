import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

// 藍: the indigo of dyed cloth. Shade 7 carries white text, and shade 4 stands out on black, both beyond 4.5 to 1.
const ai: MantineColorsTuple = ['#eef5fb', '#d8e7f3', '#b0cfe8', '#84b5dc', '#5c9ed0', '#3f8bc4', '#2a76b0', '#1b5f8c', '#164e74', '#0f3a58']

// Health, told apart by people who confuse red and green too; an icon and a word always stand beside the colour.
const good: MantineColorsTuple = ['#e6f6f4', '#cbeae6', '#98d6ce', '#63c0b5', '#38ab9e', '#1b9587', '#0f7f73', '#0b695f', '#08544c', '#053f39']
const fair: MantineColorsTuple = ['#fff6e3', '#ffeac2', '#ffd68a', '#fcbf4f', '#f2a81d', '#d98e04', '#b47303', '#8f5a05', '#724807', '#553606']
const poor: MantineColorsTuple = ['#fdefec', '#fbdcd5', '#f6b7aa', '#ef8e7b', '#e56a52', '#d64c31', '#bd3a20', '#9f2e18', '#7f2716', '#601f13']

// Greys of a night with some blue in it.
const dark: MantineColorsTuple = ['#d3d9e0', '#b6bec8', '#98a2ae', '#6f7a87', '#4a535e', '#343c45', '#252c34', '#1a2027', '#14181d', '#0e1115']

export const theme = createTheme({
  primaryColor: 'ai',
  primaryShade: { light: 7, dark: 6 },
  colors: { dark, ai, good, fair, poor },
  fontFamily: "'Inter Variable', 'Hiragino Sans', 'Hiragino Kaku Gothic ProN', 'Noto Sans JP', 'Noto Sans CJK JP', 'Yu Gothic UI', 'Yu Gothic', Meiryo, system-ui, sans-serif",
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.625rem', lineHeight: '1.3' }, h2: { fontSize: '1.125rem', lineHeight: '1.4' }, h3: { fontSize: '1rem', lineHeight: '1.45' } } },
  defaultRadius: 'md',
  respectReducedMotion: true,
  focusRing: 'auto',
  cursorType: 'pointer',
  components: {
    Card: { defaultProps: { withBorder: true, padding: 'lg', radius: 'lg' } },
    Modal: { defaultProps: { centered: true, radius: 'lg', overlayProps: { backgroundOpacity: 0.45 } }, styles: { title: { fontWeight: 650, lineHeight: 1.4 } } },
    Button: { defaultProps: { radius: 'md' } },
    Badge: { defaultProps: { variant: 'light', radius: 'sm', tt: 'none', fw: 600 } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } },
    Loader: { defaultProps: { type: 'dots' } },
  },
})

// What Mantine's own colours miss of 4.5 to 1; and in the dark, tints that are lighter than what they lie on.
export const resolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5b6470', '--mantine-color-placeholder': '#6b7480', '--mantine-color-anchor': '#1b5f8c', '--mantine-color-error': '#bd3a20', '--kakeai-page': '#f5f7f9', '--kakeai-line': '#e2e7ec',
    '--mantine-color-good-light-color': '#0b5f56', '--mantine-color-fair-light-color': '#724807', '--mantine-color-poor-light-color': '#9f2e18', '--mantine-color-gray-light-color': '#454d57', '--mantine-color-ai-light-color': '#164e74',
    '--kakeai-good': '#0f7f73', '--kakeai-fair': '#b47303', '--kakeai-poor': '#bd3a20', '--kakeai-mute': '#8a949f', '--kakeai-plain': '#2a76b0',
  },
  dark: {
    '--mantine-color-body': '#161b21', '--mantine-color-dimmed': '#a3adb8', '--mantine-color-placeholder': '#8d97a3', '--mantine-color-anchor': '#84b5dc', '--mantine-color-error': '#ef8e7b', '--kakeai-page': '#0e1115', '--kakeai-line': '#363f49',
    '--mantine-color-good-light-color': '#98d6ce', '--mantine-color-fair-light-color': '#ffd68a', '--mantine-color-poor-light-color': '#f6b7aa', '--mantine-color-gray-light-color': '#c9d0d8', '--mantine-color-ai-light-color': '#b0cfe8',
    '--mantine-color-ai-light': 'rgba(92, 158, 208, 0.2)', '--mantine-color-ai-light-hover': 'rgba(92, 158, 208, 0.28)', '--mantine-color-good-light': 'rgba(56, 171, 158, 0.2)', '--mantine-color-fair-light': 'rgba(242, 168, 29, 0.17)', '--mantine-color-poor-light': 'rgba(229, 106, 82, 0.2)', '--mantine-color-poor-light-hover': 'rgba(229, 106, 82, 0.28)', '--mantine-color-gray-light': 'rgba(163, 173, 184, 0.16)', '--mantine-color-gray-light-hover': 'rgba(163, 173, 184, 0.24)', '--mantine-color-grape-light': 'rgba(204, 93, 232, 0.22)', '--mantine-color-grape-light-color': '#e5c2f0', '--mantine-color-indigo-light': 'rgba(116, 143, 252, 0.24)', '--mantine-color-indigo-light-color': '#c3cdfb',
    '--kakeai-good': '#38ab9e', '--kakeai-fair': '#f2a81d', '--kakeai-poor': '#e56a52', '--kakeai-mute': '#78828d', '--kakeai-plain': '#5c9ed0',
    '--mantine-color-default': '#1d232a', '--mantine-color-default-border': '#3a424b', '--mantine-color-default-hover': '#232a31',
  },
})
