import { Box, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface Props {
  name: string
  says: string // what one would take from the picture, in a sentence
  keys?: ReactNode
  picture: ReactNode
  table: ReactNode
}

/** A picture of numbers: what it says in words, and the same as a table for whoever would rather read. */
export function Chart({ name, says, keys, picture, table }: Props) {
  const { t } = useTranslation()
  const [asTable, setAsTable] = useState(false)
  const caption = useId()
  return (
    <Stack component="figure" m={0} gap="sm" aria-labelledby={caption}>
      <Text component="figcaption" id={caption} size="sm" className="phrase">
        {says}
      </Text>
      {asTable ? table : picture}
      <Group justify="space-between" gap="xs">
        <Group gap="md" fz="xs" c="dimmed" aria-hidden>
          {!asTable && keys}
        </Group>
        <UnstyledButton fz="xs" c="var(--mantine-color-anchor)" py={4} onClick={() => setAsTable(!asTable)} aria-label={`${t(asTable ? 'chart.picture' : 'chart.table')}: ${name}`}>
          {t(asTable ? 'chart.picture' : 'chart.table')}
        </UnstyledButton>
      </Group>
    </Stack>
  )
}

/** What a line stands for. Lines are told apart by their strokes, whatever their colours look like to somebody. */
export function LineKey({ color, dash, children }: { color: string; dash?: string; children: string }) {
  return (
    <Group gap={6} wrap="nowrap" component="span">
      <Box component="svg" w={22} h={8} style={{ flexShrink: 0 }}>
        <line x1="0" x2="22" y1="4" y2="4" stroke={color} strokeWidth="2.5" strokeDasharray={dash} />
      </Box>
      {children}
    </Group>
  )
}
