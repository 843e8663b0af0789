import { Badge, Card, Group, Stack, Text } from '@mantine/core'
import { IconCircleCheck, IconClipboardCheck, IconCornerUpLeft, IconEdit, IconMessageQuestion, IconProgressCheck, IconZoomCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { owedQuery } from '../api/queries'
import type { Schemas } from '../api/problem'
import { Empty, Loading, Read, SectionTitle } from '../parts/States'
import { tongue } from '../parts/tongue'
import { useMe } from '../session/me'
import { today, useFormats } from '../time/format'

const owedIcon = { draft: IconEdit, 'returned-draft': IconCornerUpLeft, review: IconZoomCheck, 'check-in': IconProgressCheck, survey: IconMessageQuestion, 'follow-up': IconClipboardCheck } as const

export function Owed() {
  const { t } = useTranslation()
  const query = useQuery(owedQuery)
  return (
    <section aria-labelledby="owed">
      <SectionTitle id="owed" right={query.data && query.data.count > 0 ? <Badge color="poor" size="lg">{query.data.more ? `${query.data.count}+` : query.data.count}</Badge> : undefined}>
        {t('home.owed')}
      </SectionTitle>
      <Card padding="xs">
        <Read query={query} loading={<Loading rows={3} />}>
          {(owed) =>
            owed.items.length === 0 ? (
              <Empty title={t('home.owedNone')} icon={<IconCircleCheck size={24} />} />
            ) : (
              <div className="rows">
                {owed.items.map((o) => (
                  <OwedRow key={o.kind + o.id} owed={o} />
                ))}
              </div>
            )
          }
        </Read>
      </Card>
    </section>
  )
}

function OwedRow({ owed: o }: { owed: Schemas['Owed'] }) {
  const { t } = useTranslation()
  const f = useFormats()
  const me = useMe()
  const Icon = owedIcon[o.kind]
  const waits = o.kind === 'review' || o.kind === 'returned-draft' // somebody has waited since that day; the others are to be done by it
  const late = !waits && o.due_on !== undefined && o.due_on < today(me.organization.time_zone)
  return (
    <Link className="row" to={o.path}>
      <Group wrap="nowrap" gap="sm" align="flex-start">
        <Icon size={20} aria-hidden style={{ flexShrink: 0, marginTop: 2, color: 'var(--mantine-color-anchor)' }} />
        <Stack gap={2} style={{ flex: 1, minWidth: 0 }}>
          <Text size="sm" fw={600} lang={tongue(o.title)} className="phrase" lineClamp={3}>{o.title}</Text>
          <Text size="xs" c="dimmed">
            {t(`owed.${o.kind}`)}
            {o.objective_title && ` · ${o.objective_title}`}
          </Text>
        </Stack>
        {o.due_on && (
          <Text size="xs" c={late ? 'var(--mantine-color-error)' : 'dimmed'} fw={late ? 600 : undefined} style={{ flexShrink: 0 }}>
            {t(waits ? 'home.since' : late ? 'home.overdue' : 'home.due', { date: f.shortDay(o.due_on) })}
          </Text>
        )}
      </Group>
    </Link>
  )
}
