import { Badge, Box, Button, Card, Grid, Group, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconChevronRight, IconGauge, IconProgressCheck } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { checkInsQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { PersonName, ProgressBar } from '../parts/Badges'
import { ChartToCome, CheckInChart } from '../parts/CheckInChart'
import { Said } from '../parts/Said'
import { Paged } from '../parts/States'
import { tongue } from '../parts/tongue'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'
import { lazily } from '../parts/lazily'

const ContributorsButton = lazily(async () => ({ default: (await import('./Contributors')).ContributorsButton }), 'tree')
const Contributors = lazily(async () => ({ default: (await import('./Contributors')).Contributors }), 'tree')
const CheckInDialog = lazily(() => import('./CheckInDialog'), 'pace')

interface Props {
  keyResult: Schemas['KeyResult']
  objective: Schemas['Objective']
  cycle?: Schemas['Cycle']
  mayCheckIn: boolean
}

/** How a key result is put in one line: from where to where, or which limits. */
export function useRange() {
  const { t } = useTranslation()
  const f = useFormats()
  return (k: Schemas['KeyResult']): string => {
    if (k.kind === 'metric') return t('objective.from', { a: f.amount(k.baseline ?? '0', k.unit), b: f.amount(k.target ?? '0', k.unit) })
    if (k.kind === 'milestone') return t('objective.steps', { done: k.done_step_ids.length, all: k.steps?.length ?? 0 })
    if (k.at_least !== undefined && k.at_most !== undefined) return t('objective.between', { a: f.amount(k.at_least, k.unit), b: f.amount(k.at_most, k.unit) })
    if (k.at_least !== undefined) return t('objective.atLeast', { a: f.amount(k.at_least, k.unit) })
    return t('objective.atMost', { a: f.amount(k.at_most ?? '0', k.unit) })
  }
}

export function KeyResultCard({ keyResult: k, objective, cycle, mayCheckIn }: Props) {
  const { t } = useTranslation()
  const f = useFormats()
  const range = useRange()
  const heading = useId()
  const [checkingIn, { open, close }] = useDisclosure()
  const [listed, { toggle }] = useDisclosure()
  const [beneath, { toggle: toggleBeneath }] = useDisclosure()
  const [correcting, setCorrecting] = useState<Schemas['CheckIn'] | null>(null)
  const query = useInfiniteQuery({ ...checkInsQuery(k.id), enabled: !k.pending })
  const standing = (query.data?.pages.flatMap((p) => p.items) ?? []).filter((c) => !c.corrected_by_id).sort((a, b) => a.checked_at.localeCompare(b.checked_at))
  const drawn = standing.length > 0 || (query.isPending && !k.pending) // its place is kept while it is read
  return (
    <Card component="article" aria-labelledby={heading} padding="md">
      <Grid gap="md" align="flex-start">
        <Grid.Col span={{ base: 12, sm: drawn ? 7 : 12 }}>
          <Stack gap="sm">
            <Title order={3} id={heading} lang={tongue(k.title)} className="phrase">
              {k.title}
            </Title>
            <Group gap="xs" fz="sm" c="dimmed">
              <span className="tabular">{range(k)}</span>
              {k.weight !== '1' && <Badge color="gray">{t('objective.weight', { n: f.amount(k.weight) })}</Badge>}
              {k.stretch !== undefined && <Badge color="gray">{t('objective.stretch', { a: f.amount(k.stretch, k.unit) })}</Badge>}
            </Group>
            <ProgressBar progress={{ value: k.progress, percent: k.percent, pending: k.pending, empty: false, overshoot: '0' }} health={k.pending ? 'pending' : undefined} label={`${t('objective.progress')}: ${k.title}`} />
            <Group gap="lg" fz="sm">
              {k.current_value !== undefined && (
                <span>
                  <Text span inherit c="dimmed">{t('objective.now')} </Text>
                  <Text span inherit fw={650} className="tabular">{f.amount(k.current_value, k.unit)}</Text>
                </span>
              )}
              {k.confidence !== undefined && (
                <Group gap={4} component="span" wrap="nowrap">
                  <IconGauge size={16} aria-hidden />
                  {t('objective.confidenceOf', { n: k.confidence })}
                </Group>
              )}
              {k.pending && <Text span inherit c="dimmed">{t('objective.noCheckIn')}</Text>}
              {k.owner && <PersonName person={k.owner} size={20} />}
            </Group>
            {k.description && <Box fz="sm" c="dimmed"><Said>{k.description}</Said></Box>}
            {k.kind === 'milestone' && (
              <Stack gap={4} component="ul" m={0} pl="md" fz="sm">
                {(k.steps ?? []).map((s) => (
                  <li key={s.id}>{k.done_step_ids.includes(s.id) ? <Text span inherit td="line-through" c="dimmed">{s.title}</Text> : s.title}</li>
                ))}
              </Stack>
            )}
            <Group gap="xs">
              {mayCheckIn && <Button size="xs" leftSection={<IconProgressCheck size={16} />} onClick={open} aria-label={`${t('objective.checkIn')}: ${k.title}`}>{t('objective.checkIn')}</Button>}
              {!k.pending && (
                <Button size="xs" variant="subtle" onClick={toggle} aria-expanded={listed} leftSection={listed ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />} aria-label={`${listed ? t('objective.hideCheckIns') : t('objective.showCheckIns')}: ${k.title}`}>
                  {listed ? t('objective.hideCheckIns') : t('objective.showCheckIns')}
                </Button>
              )}
              <Suspense fallback={null}><ContributorsButton objective={objective.id} keyResult={k} opened={beneath} toggle={toggleBeneath} /></Suspense>
            </Group>
          </Stack>
        </Grid.Col>
        {drawn && (
          <Grid.Col span={{ base: 12, sm: 5 }}>
            {standing.length > 0 ? <CheckInChart keyResult={k} cycle={cycle} checkIns={standing} /> : <ChartToCome />}
          </Grid.Col>
        )}
      </Grid>
      {listed && (
        <Box mt="md">
            <Paged query={query} empty={<Text size="sm" c="dimmed">{t('checkIn.none')}</Text>}>
              {(items) => (
                <div className="rows flush">
                  {items.map((c) => (
                    <CheckInRow key={c.id} checkIn={c} keyResult={k} correct={mayCheckIn && !c.corrected_by_id ? () => setCorrecting(c) : undefined} />
                  ))}
                </div>
              )}
            </Paged>
        </Box>
      )}
      {beneath && <Suspense fallback={null}><Contributors objective={objective.id} keyResult={k} /></Suspense>}
      <Suspense fallback={null}>{checkingIn && <CheckInDialog keyResult={k} objective={objective.id} close={close} />}</Suspense>
      <Suspense fallback={null}>{correcting && <CheckInDialog keyResult={k} objective={objective.id} corrects={correcting} close={() => setCorrecting(null)} />}</Suspense>
    </Card>
  )
}

function CheckInRow({ checkIn: c, keyResult: k, correct }: { checkIn: Schemas['CheckIn']; keyResult: Schemas['KeyResult']; correct?: () => void }) {
  const { t } = useTranslation()
  const f = useFormats()
  const me = useMe()
  const shown = k.kind === 'milestone' ? f.percent(c.percent) : f.amount(c.value ?? '0', k.unit)
  return (
    <Stack gap={4} className="row">
      <Group justify="space-between" gap="xs">
        <Group gap="sm">
          <Text fw={650} size="sm" className="tabular" td={c.corrected_by_id ? 'line-through' : undefined}>{shown}</Text>
          <Text size="sm" c="dimmed">{t('objective.confidenceOf', { n: c.confidence })}</Text>
          {c.corrected_by_id && <Badge color="gray">{t('checkIn.corrected')}</Badge>}
          {c.corrects_id && <Badge color="ai">{t('checkIn.correction')}</Badge>}
        </Group>
        {correct && me.writes && <Button size="compact-xs" variant="subtle" onClick={correct} aria-label={`${t('checkIn.correctThis')}: ${shown}, ${f.moment(c.checked_at)}`}>{t('checkIn.correctThis')}</Button>}
      </Group>
      {c.note && <Box fz="sm"><Said>{c.note}</Said></Box>}
      <Text size="xs" c="dimmed">{t('checkIn.by', { name: c.author.name, when: f.moment(c.checked_at) })}</Text>
    </Stack>
  )
}
