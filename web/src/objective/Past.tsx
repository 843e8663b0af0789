import { Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import { problemOf, type Schemas } from '../api/problem'
import AsOfBanner from '../parts/AsOf'
import { AsOfButton } from '../parts/AsOfButton'
import { Fact, HealthBadge, PersonName, ProgressBar, StateBadge } from '../parts/Badges'
import { Page } from '../parts/Page'
import { Said } from '../parts/Said'
import { Empty, Loading, Read } from '../parts/States'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'
import { endOfDay } from '../time/zone'
import { useRange } from './KeyResult'

const pastQuery = (id: string, asOf: string) =>
  queryOptions({ queryKey: ['objective', id, 'as-of', asOf], retry: false, queryFn: ({ signal }) => got(api.GET('/objectives/{objective_id}', { params: { path: { objective_id: id }, query: { as_of: asOf } }, signal })) })

/** An objective as it was when a day had ended: to be read, and nothing else. */
export default function Past({ objective: now, day }: { objective: Schemas['Objective']; day: string }) {
  const { t } = useTranslation()
  const f = useFormats()
  const me = useMe()
  const range = useRange()
  const query = useQuery(pastQuery(now.id, endOfDay(me.organization.time_zone, day).toISOString()))
  const notYet = query.isError && Object.values(problemOf(query.error).fields()).includes('before-creation')
  const o = query.data
  const follows = o && (o.state === 'approved' || o.state === 'closed') && !o.archived
  return (
    <Page
      title={o?.title ?? now.title}
      back={{ to: `/objectives/${now.id}`, label: t('asOf.back') }}
      above={o && <Group gap="xs"><StateBadge state={o.state} archived={o.archived} />{follows && <HealthBadge health={o.health} />}</Group>}
      actions={<AsOfButton />}
    >
      <Stack gap="lg">
        <AsOfBanner />
        {notYet ? (
          <Card><Empty title={t('asOf.notYet')} why={t('asOf.notYetWhy', { day: f.day(day) })} /></Card>
        ) : (
          <Read query={query} loading={<Loading rows={3} height={90} />}>
            {(then) => (
              <>
                <Card>
                  <Stack gap="md">
                    {follows && <ProgressBar progress={then.progress} health={then.health} label={t('objective.progress')} size="lg" />}
                    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="md">
                      <Fact label={t('objective.owner')}><PersonName person={then.owner} /></Fact>
                      <Fact label={t('form.kind')}>{t(`kind.${then.kind}`)}</Fact>
                      <Fact label={t('visibility.label')}>{t(`visibility.${then.visibility}`)}</Fact>
                      {then.score !== undefined && <Fact label={t('objective.score')}>{then.score}</Fact>}
                    </SimpleGrid>
                    {then.description && <Said>{then.description}</Said>}
                    <Text size="xs" c="dimmed">{t('objective.revision', { n: then.revision })}</Text>
                  </Stack>
                </Card>
                {then.key_results.length === 0 && <Card><Empty title={t('objective.noKrs')} /></Card>}
                {then.key_results.map((k) => (
                  <Card key={k.id} component="article" padding="md">
                    <Stack gap="sm">
                      <Title order={2} size="h3" className="phrase">{k.title}</Title>
                      <Text size="sm" c="dimmed" className="tabular">{range(k)}</Text>
                      <ProgressBar progress={{ value: k.progress, percent: k.percent, pending: k.pending, empty: false, overshoot: '0' }} health={k.pending ? 'pending' : undefined} label={`${t('objective.progress')}: ${k.title}`} />
                      <Group gap="lg" fz="sm">
                        {k.pending && <Text span inherit c="dimmed">{t('objective.noCheckIn')}</Text>}
                        {k.current_value !== undefined && <span><Text span inherit c="dimmed">{t('objective.now')} </Text><Text span inherit fw={650} className="tabular">{f.amount(k.current_value, k.unit)}</Text></span>}
                        {k.confidence !== undefined && <span>{t('objective.confidenceOf', { n: k.confidence })}</span>}
                        {k.checked_in_at && <Text span inherit c="dimmed">{f.moment(k.checked_in_at)}</Text>}
                      </Group>
                    </Stack>
                  </Card>
                ))}
              </>
            )}
          </Read>
        )}
      </Stack>
    </Page>
  )
}
