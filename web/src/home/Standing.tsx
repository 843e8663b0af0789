import { Anchor, Button, Card, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconCircleX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Schemas } from '../api/problem'
import { ProgressBar } from '../parts/Badges'
import { SectionTitle } from '../parts/States'

const icon = { on_track: IconCircleCheck, at_risk: IconAlertTriangle, off_track: IconCircleX, pending: IconCircleDashed } as const
const color = { on_track: 'good', at_risk: 'fair', off_track: 'poor', pending: 'mute' } as const
const healths = ['on_track', 'at_risk', 'off_track', 'pending'] as const

/** How the whole organisation stands in the cycle, and where one reads more of it. Of a day that is past it leads to the same day there, and to no list, since lists are of now. */
export function CycleCard({ dashboard: d, now, day }: { dashboard: Schemas['Dashboard']; now: Schemas['CycleNow']; day?: string }) {
  const { t } = useTranslation()
  const expected = Math.round(Number(now.elapsed) * 100)
  return (
    <section aria-labelledby="cycle">
      <SectionTitle id="cycle" right={<Anchor component={Link} to={`/cycles/${now.cycle.id}${day ? `?as_of=${day}` : ''}`} size="sm">{t('front.cycleMore')}</Anchor>}>{t('front.cycle')}</SectionTitle>
      <Card padding="md">
        <Stack gap="sm">
          {d.organization && <FiguresLine figures={d.organization} label={t('front.organization')} />}
          {(day || now.cycle.state === 'active') && d.organization?.objectives !== 0 && <Text size="sm" c="dimmed">{t('objective.expected', { n: expected })}</Text>}
          {d.organization?.health && <HealthCountsLine health={d.organization.health} cycle={day ? undefined : now.cycle.id} />}
          {d.recomputing && <Text size="xs" c="dimmed">{t('front.recomputing')}</Text>}
        </Stack>
      </Card>
    </section>
  )
}

/** One's teams, each with what its objectives come to. Their pages are of now, so the past does not lead there. */
export function TeamsCard({ dashboard: d, past }: { dashboard: Schemas['Dashboard']; past?: boolean }) {
  const { t } = useTranslation()
  if (d.teams.length === 0) return null
  return (
    <section aria-labelledby="teams">
      <SectionTitle id="teams">{t('front.teams')}</SectionTitle>
      <Card padding="xs">
        <div className="rows">
          {d.teams.map(({ team, figures }) => {
            const line = (
              <Stack gap={4}>
                <Text size="sm" fw={600}>{team.name}</Text>
                <FiguresLine figures={figures} label={team.name} small />
                {figures.health && <HealthCountsLine health={figures.health} />}
              </Stack>
            )
            return past ? <div key={team.id} className="row">{line}</div> : <Link key={team.id} to={`/teams/${team.id}`} className="row">{line}</Link>
          })}
        </div>
        {d.more_teams && !past && <Button variant="subtle" fullWidth component={Link} to="/organization/teams">{t('front.allTeams')}</Button>}
      </Card>
    </section>
  )
}

function FiguresLine({ figures: f, label, small }: { figures: Schemas['Figures']; label: string; small?: boolean }) {
  const { t } = useTranslation()
  if (f.withheld) return <Text size="sm" c="dimmed">{t('front.withheld')}</Text>
  if (!f.progress || f.objectives === 0) return <Text size="sm" c="dimmed">{t('front.noneApproved')}</Text>
  return <ProgressBar progress={f.progress} label={t('front.progressOf', { name: label })} size={small ? 'sm' : 'md'} />
}

/** How many are how healthy: a mark, a word and a number each, since colour alone tells not everybody. */
function HealthCountsLine({ health, cycle }: { health: Schemas['HealthCounts']; cycle?: string }) {
  const { t } = useTranslation()
  return (
    <Group gap="md" fz="sm">
      {healths
        .filter((h) => health[h] > 0)
        .map((h) => {
          const Icon = icon[h]
          const line = (
            <Group key={h} gap={4} wrap="nowrap" component="span">
              <Icon size={16} aria-hidden style={{ color: `var(--kakeai-${color[h]})`, flexShrink: 0 }} />
              <span>{t(`health.${h}`)}</span>
              <Text span inherit fw={650} className="tabular">{health[h]}</Text>
            </Group>
          )
          return cycle ? <Link key={h} className="plain-link" to={`/objectives?cycle=${cycle}&health=${h}`}>{line}</Link> : line
        })}
    </Group>
  )
}
