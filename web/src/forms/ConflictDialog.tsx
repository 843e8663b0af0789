import { Alert, Badge, Box, Button, Card, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { IconArrowsSplit2 } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/problem'
import { useFormats } from '../time/format'
import type { Change } from './merge'

export interface ConflictProps {
  changes: Change[]
  label: (path: string) => string
  show: (path: string, value: unknown) => string
  by?: Schemas['Person']
  at?: string
  busy: boolean
  apply: (choose: (path: string) => 'mine' | 'theirs') => void
  takeTheirs: () => void
  close: () => void
}

/** Three views of what two people changed at once: what it was, what I typed, and what the other saved. */
export default function ConflictDialog({ changes, label, show, by, at, busy, apply, takeTheirs, close }: ConflictProps) {
  const { t } = useTranslation()
  const f = useFormats()
  const [choices, setChoices] = useState<Record<string, 'mine' | 'theirs'>>({})
  const both = changes.filter((c) => c.kind === 'both')
  const others = changes.filter((c) => c.kind !== 'both')
  const text = (path: string, value: unknown) => (value === undefined || value === null || value === '' ? t('conflict.none') : show(path, value))
  return (
    <Modal opened onClose={close} size="xl" title={t('conflict.title')} closeButtonProps={{ 'aria-label': t('do.close') }}>
      <Stack>
        <Alert color="fair" icon={<IconArrowsSplit2 />}>
          {by && at ? t('conflict.why', { name: by.name, when: f.ago(at) }) : t('conflict.whyUnknown')}
        </Alert>
        <Text fw={600}>{both.length === 0 ? t('conflict.clean') : t('conflict.choose', { count: both.length })}</Text>
        {both.map((c) => (
          <Card key={c.path} padding="md" component="fieldset" m={0}>
            <Text component="legend" fw={600} size="sm" mb="xs" style={{ float: 'left', width: '100%' }}>
              {label(c.path)}
            </Text>
            <Box style={{ clear: 'both' }}>
              <Text size="xs" c="dimmed">
                {t('conflict.base')}
              </Text>
              <Text size="sm" mb="sm" className="prose" component="div">
                {text(c.path, c.base)}
              </Text>
              <Radio.Group value={choices[c.path] ?? 'mine'} onChange={(v) => setChoices({ ...choices, [c.path]: v as 'mine' | 'theirs' })}>
                <Stack gap="xs">
                  {(['mine', 'theirs'] as const).map((who) => (
                    <Radio.Card key={who} value={who} p="sm" radius="md" aria-label={`${t(`conflict.take${who === 'mine' ? 'Mine' : 'Theirs'}`)}: ${text(c.path, c[who])}`}>
                      <Group wrap="nowrap" align="flex-start">
                        <Radio.Indicator mt={3} />
                        <div>
                          <Text size="xs" c="dimmed">
                            {t(`conflict.${who}`)}
                            {who === 'theirs' && by ? ` · ${by.name}` : ''}
                          </Text>
                          <Text size="sm" className="prose" component="div">
                            {text(c.path, c[who])}
                          </Text>
                        </div>
                      </Group>
                    </Radio.Card>
                  ))}
                </Stack>
              </Radio.Group>
            </Box>
          </Card>
        ))}
        {others.length > 0 && (
          <Stack gap="xs">
            {both.length > 0 && <Text fw={600}>{t('conflict.also')}</Text>}
            {others.map((c) => (
              <Group key={c.path} gap="sm" align="flex-start" wrap="nowrap">
                <Badge color={c.kind === 'mine' ? 'ai' : 'gray'} style={{ flexShrink: 0 }}>
                  {t(c.kind === 'mine' ? 'conflict.fromMe' : 'conflict.fromThem')}
                </Badge>
                <Text size="sm" style={{ minWidth: 0 }}>
                  {label(c.path)}: <del className="diff">{text(c.path, c.base)}</del> <ins className="diff">{text(c.path, c[c.kind === 'mine' ? 'mine' : 'theirs'])}</ins>
                </Text>
              </Group>
            ))}
          </Stack>
        )}
        <Group justify="space-between">
          <Button variant="subtle" color="gray" onClick={takeTheirs}>
            {t('conflict.theirsOnly')}
          </Button>
          <Button loading={busy} onClick={() => apply((path) => choices[path] ?? 'mine')}>
            {t('conflict.apply')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
