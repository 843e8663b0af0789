import { Anchor, Card, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Schemas } from '../api/problem'
import AsOfBanner from '../parts/AsOf'
import { AsOfButton } from '../parts/AsOfButton'
import { Page } from '../parts/Page'
import { Empty, Loading, Read } from '../parts/States'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'
import { endOfDay, recordedBy } from '../time/zone'
import { Mine } from './Mine'
import { pastDashboardQuery } from './queries'
import { CycleCard, TeamsCard } from './Standing'

/** Home as it was when a day had ended: one's objectives by their history, and figures as they were recorded then. What one owes, what is missing and what happened are of now, and not shown. */
export default function Past({ day }: { day: string }) {
  const { t } = useTranslation()
  const f = useFormats()
  const me = useMe()
  const zone = me.organization.time_zone
  const query = useQuery(pastDashboardQuery(endOfDay(zone, day).toISOString()))
  const then = query.data?.cycle
  const recorded = useQuery({ ...pastDashboardQuery(recordedBy(zone, day).toISOString(), then?.cycle.id), enabled: then !== undefined })
  const figures = recorded.data
  return (
    <Page title={t('home.hello', { name: me.user.name })} lead={then && <Then now={then} day={day} />} actions={<AsOfButton />}>
      <Stack gap="lg">
        <AsOfBanner more={figures?.figures_day && figures.figures_day !== day ? t('asOf.figuresOf', { day: f.day(figures.figures_day) }) : undefined} />
        <Read query={query} loading={<Loading rows={3} height={120} />}>
          {(d) =>
            d.cycle ? (
              <div className="home">
                <Mine dashboard={d} cycle={d.cycle.cycle} day={day} />
                <Read query={recorded} loading={<Loading rows={2} height={96} />}>
                  {(r) =>
                    r.organization ? (
                      <Stack gap="xl">
                        <CycleCard dashboard={r} now={d.cycle!} day={day} />
                        <TeamsCard dashboard={r} past />
                      </Stack>
                    ) : (
                      <Card><Empty title={t('asOf.notRecorded')} /></Card>
                    )
                  }
                </Read>
              </div>
            ) : (
              <Card><Empty title={t('front.noCycleThen')} /></Card>
            )
          }
        </Read>
      </Stack>
    </Page>
  )
}

/** The cycle of then, and which of its days it was. */
function Then({ now, day }: { now: Schemas['CycleNow']; day: string }) {
  const { t } = useTranslation()
  const f = useFormats()
  const { cycle, days, days_left } = now
  return (
    <Group gap="sm" mt={4}>
      <Anchor component={Link} to={`/cycles/${cycle.id}?as_of=${day}`} fw={600} size="sm">{cycle.name}</Anchor>
      <Text span size="sm">{f.shortDay(cycle.starts_on)} – {f.shortDay(cycle.ends_on)}</Text>
      {days_left > 0 && <Text span size="sm">{t('home.cycleDay', { day: days - days_left + 1, count: days })}</Text>}
    </Group>
  )
}
