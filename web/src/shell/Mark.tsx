import { Group, Text } from '@mantine/core'

/** The product's sign: one voice, and the other's answer. */
export function Mark({ size = 26, light }: { size?: number; light?: boolean }) {
  return (
    <Group gap={8} wrap="nowrap" component="span">
      <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden focusable="false">
        <rect width="32" height="32" rx="8" fill={light ? '#ffffff' : '#1b5f8c'} />
        <path d="M7 9.500A2.500 2.500 0 0 1 9.500 7h9A2.500 2.500 0 0 1 21 9.500v4a2.500 2.500 0 0 1-2.500 2.500H12l-3.600 2.800a.6.600 0 0 1-1-.5z" fill={light ? '#1b5f8c' : '#ffffff'} />
        <path d="M25 15.500v9.300a.6.600 0 0 1-1 .5L20.500 22.500H15a2.500 2.500 0 0 1-2.500-2.500v-1.200h7A4.500 4.500 0 0 0 23.600 13.200 2.500 2.500 0 0 1 25 15.500z" fill="#f4b183" />
      </svg>
      <Text span fw={700} size="md" style={{ letterSpacing: '-0.01em' }} c={light ? 'white' : undefined}>
        Kakeai
      </Text>
    </Group>
  )
}
