import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Schemas } from '../api/problem'
import { PersonName } from '../parts/Badges'
import { Paged, SectionTitle } from '../parts/States'
import { tongue } from '../parts/tongue'
import { useFormats } from '../time/format'
import { silentQuery, withoutObjectiveQuery } from './queries'

/** Who has set nothing and what nobody checks in, for those who lead: the first few, and all of them page by page. */
export function Missing({ missing: m, cycle }: { missing: Schemas['Missing']; cycle: Schemas['Cycle'] }) {
  const { t } = useTranslation()
  const nothing = m.members.length === 0 && m.check_ins.length === 0 && (m.teams?.length ?? 0) === 0
  if (nothing && !m.more_members && !m.more_check_ins && !m.more_teams) return null
  return (
    <section aria-labelledby="missing">
      <SectionTitle id="missing">{t('front.missing')}</SectionTitle>
      <Card padding="md">
        <Stack gap="lg">
          {(m.members.length > 0 || m.more_members) && (
            <Part title={t('front.noObjective')} more={m.more_members} all={<AllWithout cycle={cycle.id} />}>
              <People people={m.members} />
            </Part>
          )}
          {(m.check_ins.length > 0 || m.more_check_ins) && (
            <Part title={t('front.silent')} more={m.more_check_ins} all={<AllSilent cycle={cycle.id} />}>
              <Silent items={m.check_ins} />
            </Part>
          )}
          {m.teams && m.teams.length > 0 && (
            <Part title={t('front.teamsWithout')}>
              <Group gap="xs" fz="sm">
                {m.teams.map((x) => (
                  <Link key={x.id} to={`/teams/${x.id}`} className="plain-link">{x.name}</Link>
                ))}
                {m.more_teams && <Text span c="dimmed" inherit>{t('front.andMaybeMore')}</Text>}
              </Group>
            </Part>
          )}
        </Stack>
      </Card>
    </section>
  )
}

function Part({ title, children, more, all }: { title: string; children: ReactNode; more?: boolean; all?: ReactNode }) {
  const { t } = useTranslation()
  const [whole, setWhole] = useState(false)
  return (
    <Stack gap="xs">
      <Title order={3}>{title}</Title>
      {whole ? all : children}
      {more && !whole && <Button size="xs" variant="default" onClick={() => setWhole(true)} style={{ alignSelf: 'flex-start' }} aria-label={`${title}: ${t('front.showAll')}`}>{t('front.showAll')}</Button>}
    </Stack>
  )
}

function People({ people }: { people: Schemas['Person'][] }) {
  return (
    <Group gap="md">
      {people.map((p) => (
        <PersonName key={p.id} person={p} />
      ))}
    </Group>
  )
}

function Silent({ items }: { items: Schemas['MissingCheckIn'][] }) {
  const { t } = useTranslation()
  const f = useFormats()
  return (
    <div className="rows flush">
      {items.map((o) => (
        <Link key={o.id} to={`/objectives/${o.id}`} className="row">
          <Text size="sm" fw={600} lang={tongue(o.title)} className="phrase" lineClamp={3}>{o.title}</Text>
          <Text size="xs" c="dimmed">{o.owner.name} · {t('front.silentSince', { date: f.shortDay(o.outdated_since) })}</Text>
        </Link>
      ))}
    </div>
  )
}

function AllWithout({ cycle }: { cycle: string }) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(withoutObjectiveQuery(cycle))
  return <Paged query={query} empty={<Text size="sm" c="dimmed">{t('state.empty')}</Text>}>{(items) => <People people={items.map((i) => i.member)} />}</Paged>
}

function AllSilent({ cycle }: { cycle: string }) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(silentQuery(cycle))
  return <Paged query={query} empty={<Text size="sm" c="dimmed">{t('state.empty')}</Text>}>{(items) => <Silent items={items} />}</Paged>
}
