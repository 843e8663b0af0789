import { Anchor, Button, Card, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch, IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import type { Schemas } from '../api/problem'
import { PersonName, StateBadge } from '../parts/Badges'
import { Page } from '../parts/Page'
import { Empty, Failed, Loading, SectionTitle } from '../parts/States'
import { tongue } from '../parts/tongue'
import { searchQuery } from '../search/queries'

const few = 10
const many = 50 // as many as the server finds of a kind

/** Everything that has all of the words. They stand in the address, so that back, reload and a link keep them. */
export default function Search() {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const q = (params.get('q') ?? '').trim().slice(0, 200)
  const [typed, setTyped] = useState(q)
  const [shown, setShown] = useState(q)
  if (shown !== q) {
    setShown(q)
    if (q !== typed.trim()) setTyped(q)
  }
  const later = useDebouncedCallback((v: string) => setParams(v.trim() ? { q: v.trim() } : {}, { replace: true, preventScrollReset: true }), 300)
  const query = useQuery(searchQuery(q, few))
  const r = query.data
  const nothing = r !== undefined && [r.objectives, r.people, r.teams].every((x) => (x?.items.length ?? 0) === 0 && !x?.more)
  return (
    <Page title={t('find.title')} narrow>
      <Stack gap="lg">
        <TextInput
          type="search"
          size="md"
          label={t('find.label')}
          placeholder={t('find.hint')}
          maxLength={200}
          autoFocus={q === ''}
          leftSection={<IconSearch size={18} aria-hidden />}
          value={typed}
          onChange={(e) => {
            setTyped(e.currentTarget.value)
            if (!(e.nativeEvent as InputEvent).isComposing) later(e.currentTarget.value)
          }}
          onCompositionEnd={(e) => later(e.currentTarget.value)}
        />
        {q === '' ? (
          <Card><Empty icon={<IconSearch size={24} />} title={t('find.begin')} why={t('find.beginWhy')} /></Card>
        ) : query.isError && !r ? (
          <Failed error={query.error} again={() => void query.refetch()} />
        ) : !r ? (
          <Loading rows={6} />
        ) : nothing ? (
          <Card><Empty icon={<IconSearch size={24} />} title={t('find.none')} why={t('find.noneWhy')} /></Card>
        ) : (
          <Stack gap="xl" style={query.isPlaceholderData ? { opacity: 0.6 } : undefined}>
            <Kind key={`objective ${q}`} q={q} kind="objective" title={t('find.objectives')} first={r} />
            <Kind key={`person ${q}`} q={q} kind="person" title={t('find.people')} first={r} />
            <Kind key={`team ${q}`} q={q} kind="team" title={t('find.teams')} first={r} />
          </Stack>
        )}
      </Stack>
    </Page>
  )
}

const part = { objective: 'objectives', person: 'people', team: 'teams' } as const

function Kind({ q, kind, title, first }: { q: string; kind: Schemas['SearchKind']; title: string; first: Schemas['SearchResult'] }) {
  const { t } = useTranslation()
  const [whole, setWhole] = useState(false)
  const query = useQuery({ ...searchQuery(q, many, kind), enabled: whole, placeholderData: undefined })
  const found = (whole ? query.data : undefined) ?? first
  const here = found[part[kind]]
  if (!here || (here.items.length === 0 && !here.more)) return null
  return (
    <section aria-labelledby={kind}>
      <SectionTitle id={kind}>{title}</SectionTitle>
      <Card padding="xs">
        <div className="rows">{rows(found, kind)}</div>
        {query.isError && <Failed error={query.error} again={() => void query.refetch()} />}
        {here.more && !whole && <Button variant="default" fullWidth mt="xs" onClick={() => setWhole(true)} aria-label={`${t('do.more')}: ${title}`}>{t('do.more')}</Button>}
        {whole && query.isFetching && <Loading rows={2} />}
        {whole && query.data && here.more && (
          <Text size="sm" c="dimmed" p="xs">
            {t('find.further')} {kind === 'objective' && <Anchor component={Link} to={`/objectives?text=${encodeURIComponent(q)}`} inherit>{t('objectives.title')}</Anchor>}
          </Text>
        )}
      </Card>
    </section>
  )
}

function rows(found: Schemas['SearchResult'], kind: Schemas['SearchKind']): ReactNode {
  if (kind === 'objective') return found.objectives?.items.map((o) => <FoundObjective key={o.id} objective={o} />)
  if (kind === 'person')
    return found.people?.items.map((p) => (
      <Link key={p.id} className="row" to={`/objectives?owner=${p.id}`}>
        <PersonName person={p} size={28} bold />
        <Text size="xs" c="dimmed" pl={36}>{p.email}</Text>
      </Link>
    ))
  return found.teams?.items.map((x) => (
    <Link key={x.id} className="row" to={`/teams/${x.id}`} style={{ display: 'flex', gap: 8, alignItems: 'center' }}>
      <IconUsersGroup size={20} aria-hidden style={{ flexShrink: 0 }} />
      <Text span size="sm" fw={600}>{x.name}</Text>
    </Link>
  ))
}

function FoundObjective({ objective: o }: { objective: Schemas['FoundObjective'] }) {
  const { t } = useTranslation()
  return (
    <Link className="row" to={`/objectives/${o.id}`}>
      <Stack gap={4}>
        <Text size="sm" fw={600} lang={tongue(o.title)} className="phrase">{o.title}</Text>
        <Text size="xs" c="dimmed" component="div" style={{ display: 'flex', gap: 8, alignItems: 'center', flexWrap: 'wrap' }}>
          <StateBadge state={o.state} />
          <span>{o.owner.name}</span>
          {o.key_result && <span>{t('find.byKeyResult', { title: o.key_result.title })}</span>}
        </Text>
      </Stack>
    </Link>
  )
}
