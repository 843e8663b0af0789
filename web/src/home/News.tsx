import { Card, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { feedQuery } from '../api/queries'
import { newsAtOnce } from './queries'
import { eventKinds } from '../i18n/known'
import { Empty, Loading, Paged, SectionTitle } from '../parts/States'
import { tongue } from '../parts/tongue'
import { useFormats } from '../time/format'

export function News() {
  const { t } = useTranslation()
  const f = useFormats()
  const query = useInfiniteQuery(feedQuery(newsAtOnce))
  return (
    <section aria-labelledby="news">
      <SectionTitle id="news">{t('home.news')}</SectionTitle>
      <Card padding="xs">
        <Paged query={query} loading={<Loading rows={6} />} empty={<Empty title={t('home.newsNone')} />}>
          {(items) => (
            <div className="rows">
              {items.map((e) => {
                const action = e.action.replaceAll('.', '_')
                return (
                  <Link key={e.id} className="row" to={`/objectives/${e.objective_id}`}>
                    <Stack gap={2}>
                      <Text size="sm" lang={tongue(e.title)} className="phrase" lineClamp={2}>{e.title}</Text>
                      <Text size="xs" c="dimmed">
                        {e.actor?.name ?? t('event.coach')} · {eventKinds.has(action) ? t(`event.${action as 'objective_created'}`) : t('event.other', { action: e.action })} · {f.ago(e.happened_at)}
                      </Text>
                    </Stack>
                  </Link>
                )
              })}
            </div>
          )}
        </Paged>
      </Card>
    </section>
  )
}
