import { SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { setLanguage, type Language } from '../i18n'

export function LanguageSwitch() {
  const { t, i18n } = useTranslation()
  return (
    <SegmentedControl
      size="xs"
      fullWidth
      aria-label={t('settings.language')}
      value={i18n.language}
      onChange={(l) => void setLanguage(l as Language)}
      data={[
        { value: 'ja', label: <span lang="ja">日本語</span> },
        { value: 'en', label: <span lang="en">English</span> },
      ]}
    />
  )
}

export function ColorSwitch() {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      size="xs"
      fullWidth
      aria-label={t('settings.colors')}
      value={colorScheme}
      onChange={(c) => setColorScheme(c as 'light' | 'dark' | 'auto')}
      data={[
        { value: 'light', label: t('settings.light') },
        { value: 'dark', label: t('settings.dark') },
        { value: 'auto', label: t('settings.auto') },
      ]}
    />
  )
}
