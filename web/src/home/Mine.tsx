import { Button, Card, Group, Stack, Text } from '@mantine/core'
import { IconPlus, IconTargetArrow } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Schemas } from '../api/problem'
import { HealthBadge, OutdatedBadge, ProgressBar, StateBadge } from '../parts/Badges'
import { Empty, SectionTitle } from '../parts/States'
import { tongue } from '../parts/tongue'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'

const shownKeyResults = 4

/** One's own objectives of the cycle, with where their key results stand, now or when a day had ended. */
export function Mine({ dashboard: d, cycle, day }: { dashboard: Schemas['Dashboard']; cycle: Schemas['Cycle']; day?: string }) {
  const { t } = useTranslation()
  const me = useMe()
  const drafts = me.writes && day === undefined // nothing is written in the past
  return (
    <section aria-labelledby="mine">
      <SectionTitle id="mine" right={drafts && <Button size="xs" variant="light" component={Link} to="/objectives/new" leftSection={<IconPlus size={16} />}>{t('nav.new')}</Button>}>
        {t('home.mine')}
      </SectionTitle>
      {d.objectives.length === 0 ? (
        <Card>
          <Empty title={drafts ? t('home.firstTitle') : t(day ? 'front.mineNoneThen' : 'home.mineNone')} why={drafts ? t('home.first') : undefined} icon={<IconTargetArrow size={24} />} action={drafts ? <Button component={Link} to="/objectives/new" mt="xs">{t('nav.new')}</Button> : undefined} />
        </Card>
      ) : (
        <Stack gap="sm">
          {d.objectives.map((o) => (
            <OwnObjective key={o.id} objective={o} day={day} />
          ))}
          {d.more_objectives && !day && <Button variant="default" component={Link} to={`/objectives?cycle=${cycle.id}&owner=${me.user.id}`}>{t('front.allMine')}</Button>}
        </Stack>
      )}
    </section>
  )
}

function OwnObjective({ objective: o, day }: { objective: Schemas['DashboardObjective']; day?: string }) {
  const { t } = useTranslation()
  const f = useFormats()
  const follows = (o.state === 'approved' || o.state === 'closed') && !o.archived
  const rest = o.key_results.length - shownKeyResults
  return (
    <Card component={Link} to={`/objectives/${o.id}${day ? `?as_of=${day}` : ''}`} className="card-link" padding="md">
      <Stack gap="xs">
        <Group justify="space-between" align="flex-start" gap="xs" wrap="nowrap">
          <Text fw={600} lang={tongue(o.title)} className="phrase" lineClamp={3} style={{ flex: 1, minWidth: 0 }} lh={1.45}>{o.title}</Text>
          <Group gap={6} justify="flex-end" style={{ flexShrink: 0, maxWidth: '50%' }}>
            {o.outdated && o.state === 'approved' && <OutdatedBadge />}
            {follows ? <HealthBadge health={o.health} /> : <StateBadge state={o.state} archived={o.archived} />}
          </Group>
        </Group>
        {follows && <ProgressBar progress={o.progress} health={o.health} label={t('objectives.progress')} size="sm" />}
        {follows && o.key_results.length > 0 && (
          <Stack gap={2} c="dimmed" fz="sm">
            {o.key_results.slice(0, shownKeyResults).map((k) => (
              <Group key={k.id} gap="sm" wrap="nowrap" justify="space-between">
                <Text span inherit truncate style={{ flex: '1 1 0', minWidth: '40%' }}>{k.title}</Text>
                <Text span inherit className="tabular" ta="right" style={{ minWidth: 0, overflowWrap: 'break-word' }}>
                  {k.pending ? t('objective.pending') : [k.current_value !== undefined ? f.amount(k.current_value, k.unit) : '', f.percent(k.percent)].filter(Boolean).join(' · ')}
                </Text>
              </Group>
            ))}
            {rest > 0 && <Text span inherit>{t('front.otherKeyResults', { count: rest })}</Text>}
          </Stack>
        )}
        {!follows && <Text size="sm" c="dimmed">{t('objectives.krs', { count: o.key_results.length })}</Text>}
      </Stack>
    </Card>
  )
}
