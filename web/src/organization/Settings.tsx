import { Button, Card, Group, Input, SegmentedControl, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient, queryOptions } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'
import { Conflict } from '../forms/Conflict'
import { DraftNote } from '../forms/DraftNote'
import { useDraft } from '../forms/draft'
import { compare, merge } from '../forms/merge'
import { useSend } from '../forms/useSend'
import { AiBudget, aiBudgetQuery } from '../parts/AiBudget'
import { Fact } from '../parts/Badges'
import { Choice } from '../parts/Choice'
import { ProblemNote } from '../parts/ProblemNote'
import { Read, SectionTitle } from '../parts/States'
import { useMe } from '../session/me'
import { useFormats } from '../time/format'
import { fromSettingsFields, settingsFields, settingsForm, settingsPatch, wholeNumber, type SettingsForm } from './settings'

const settingsQuery = queryOptions({ queryKey: ['organization'], queryFn: ({ signal }) => got(api.GET('/organization', { signal })) })

export default function Settings() {
  const query = useQuery(settingsQuery)
  return <Read query={query}>{(o) => <Form present={o} />}</Read>
}

interface Edit {
  base: SettingsForm
  revision: number
  mine: SettingsForm
}

const zones = (present: string) => {
  const all = typeof Intl.supportedValuesOf === 'function' ? Intl.supportedValuesOf('timeZone') : []
  return [...new Set([present, 'UTC', ...all])].map((z) => ({ value: z, label: z }))
}

function Form({ present }: { present: Schemas['OrganizationSettings'] }) {
  const { t } = useTranslation()
  const me = useMe()
  const f = useFormats()
  const client = useQueryClient()
  const start: Edit = { base: settingsForm(present), revision: present.revision, mine: settingsForm(present) }
  const draft = useDraft(me.draftKey('organization'), start)
  // What nobody has touched follows what is there; an edit stays with what it was made from.
  const edit = JSON.stringify(draft.value.mine) === JSON.stringify(draft.value.base) ? start : draft.value
  const v = edit.mine
  const [conflict, setConflict] = useState<{ present: Schemas['OrganizationSettings']; by?: Schemas['Person']; at?: string } | null>(null)
  const [wrong, setWrong] = useState<ReadonlySet<string>>(new Set())
  const sending = useSend({
    send: (patch: Schemas['OrganizationPatch']) => got(api.PATCH('/organization', { body: patch })),
    done: (o) => {
      setConflict(null)
      client.setQueryData(settingsQuery.queryKey, o)
      draft.clear({ base: settingsForm(o), revision: o.revision, mine: settingsForm(o) })
      for (const key of [['session'], ['ai-budget'], ['dashboard']]) void client.invalidateQueries({ queryKey: key })
      notifications.show({ message: t('state.saved'), color: 'good' })
    },
    refused: (p) => {
      const stale = p.stale<Schemas['OrganizationSettings']>()
      if (!stale) return false
      setConflict(stale)
      return true
    },
  })
  const put = <K extends keyof SettingsForm>(name: K, value: SettingsForm[K]) => {
    sending.touch(`/${name}`)
    setWrong((w) => new Set([...w].filter((x) => x !== name)))
    draft.set({ ...edit, mine: { ...v, [name]: value } })
  }
  const save = () => {
    const bad = new Set<string>()
    if (v.name.trim() === '') bad.add('name')
    if (!(wholeNumber(v.grace_days) <= 90)) bad.add('grace_days')
    if (v.ai_monthly_tokens.trim() !== '' && !(wholeNumber(v.ai_monthly_tokens) <= 1e12)) bad.add('ai_monthly_tokens')
    setWrong(bad)
    if (bad.size === 0) sending.send(settingsPatch(edit.base, v, edit.revision))
  }
  const error = (name: string) => (wrong.has(name) ? t(name === 'name' ? 'field.required' : name === 'grace_days' ? 'settingsPage.graceRange' : 'settingsPage.tokensRange') : sending.error(`/${name}`))
  const theirs = conflict && settingsForm(conflict.present)
  const show = (path: string, value: unknown) => {
    if (path === 'cadence') return t(`settingsPage.${value as 'weekly'}`)
    if (path === 'locale') return value === 'ja' ? '日本語' : 'English'
    if (path === 'ai_enabled') return t(value ? 'settingsPage.on' : 'settingsPage.off')
    return String(value)
  }
  const changed = JSON.stringify(v) !== JSON.stringify(edit.base)
  if (!me.administers)
    return (
      <Stack>
        <Card>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Fact label={t('org.name')}>{present.name}</Fact>
            <Fact label={t('settingsPage.time_zone')}>{present.time_zone}</Fact>
            <Fact label={t('settingsPage.cadence')}>{t(`settingsPage.${present.cadence}`)}</Fact>
            <Fact label={t('settingsPage.grace_days')}>{present.grace_days}</Fact>
          </SimpleGrid>
        </Card>
        <Text size="sm" c="dimmed">{t('settingsPage.onlyAdmins')}</Text>
      </Stack>
    )
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        save()
      }}
    >
      <Stack gap="xl" maw={760}>
        <DraftNote restored={draft.restored && changed} discard={() => draft.clear(start)} />
        <section aria-labelledby="general">
          <SectionTitle id="general">{t('settingsPage.general')}</SectionTitle>
          <Card>
            <Stack>
              <TextInput label={t('org.name')} maxLength={200} value={v.name} error={error('name')} onChange={(e) => put('name', e.currentTarget.value)} />
              <SimpleGrid cols={{ base: 1, sm: 2 }}>
                <Choice label={t('settingsPage.time_zone')} description={t('settingsPage.zoneHint')} searchable limit={80} allowDeselect={false} value={v.time_zone} error={error('time_zone')} onChange={(z) => z && put('time_zone', z)} data={zones(v.time_zone)} nothingFoundMessage={t('app.paletteNone')} />
                <Input.Wrapper label={t('settings.language')} description={t('settingsPage.localeHint')} labelElement="div">
                  <SegmentedControl mt={4} fullWidth aria-label={t('settings.language')} value={v.locale} onChange={(l) => put('locale', l as Schemas['Locale'])} data={[{ value: 'ja', label: <span lang="ja">日本語</span> }, { value: 'en', label: <span lang="en">English</span> }]} />
                </Input.Wrapper>
              </SimpleGrid>
            </Stack>
          </Card>
        </section>
        <section aria-labelledby="check-ins">
          <SectionTitle id="check-ins">{t('settingsPage.checkIns')}</SectionTitle>
          <Card>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <Choice label={t('settingsPage.cadence')} description={t('settingsPage.cadenceHint')} allowDeselect={false} value={v.cadence} error={error('cadence')} onChange={(c) => c && put('cadence', c as Schemas['Cadence'])} data={(['weekly', 'biweekly', 'monthly'] as const).map((c) => ({ value: c, label: t(`settingsPage.${c}`) }))} />
              <TextInput label={t('settingsPage.grace_days')} description={t('settingsPage.graceHint')} inputMode="numeric" maxLength={4} value={v.grace_days} error={error('grace_days')} onChange={(e) => put('grace_days', e.currentTarget.value)} />
            </SimpleGrid>
          </Card>
        </section>
        <section aria-labelledby="coach">
          <SectionTitle id="coach">{t('settingsPage.coach')}</SectionTitle>
          <Card>
            <Stack>
              <Usage />
              <Switch label={t('settingsPage.ai_enabled')} description={t('settingsPage.aiHint')} checked={v.ai_enabled} onChange={(e) => put('ai_enabled', e.currentTarget.checked)} />
              <TextInput label={t('settingsPage.ai_monthly_tokens')} description={t('settingsPage.tokensHint')} inputMode="numeric" maxLength={20} disabled={!v.ai_enabled} value={v.ai_monthly_tokens} placeholder={t('settingsPage.unbounded')} error={error('ai_monthly_tokens')} onChange={(e) => put('ai_monthly_tokens', e.currentTarget.value)} />
            </Stack>
          </Card>
        </section>
        {sending.problem && <ProblemNote problem={sending.problem} />}
        <Group justify="space-between">
          <Text size="xs" c="dimmed">{t('objective.revision', { n: present.revision })} · {f.moment(present.changed_at)}</Text>
          <Group gap="xs">
            {changed && <Button variant="default" onClick={() => draft.clear(start)}>{t('do.discard')}</Button>}
            <Button type="submit" loading={sending.busy} disabled={!changed}>{t('do.save')}</Button>
          </Group>
        </Group>
      </Stack>
      {conflict && theirs && (
        <Conflict
          changes={compare(settingsFields(edit.base), settingsFields(v), settingsFields(theirs))}
          label={(path) => (path === 'name' ? t('org.name') : path === 'locale' ? t('settings.language') : t(`settingsPage.${path as 'time_zone'}`))}
          show={show}
          by={conflict.by}
          at={conflict.at}
          busy={sending.busy}
          apply={(choose) => {
            const merged = fromSettingsFields(merge(settingsFields(edit.base), settingsFields(v), settingsFields(theirs), choose))
            draft.set({ base: theirs, revision: conflict.present.revision, mine: merged })
            sending.send(settingsPatch(theirs, merged, conflict.present.revision))
          }}
          takeTheirs={() => {
            client.setQueryData(settingsQuery.queryKey, conflict.present)
            draft.clear({ base: theirs, revision: conflict.present.revision, mine: theirs })
            setConflict(null)
          }}
          close={() => setConflict(null)}
        />
      )}
    </form>
  )
}

/** Who answers, and what it has taken this month. */
function Usage() {
  const { t } = useTranslation()
  const f = useFormats()
  const { data: b } = useQuery(aiBudgetQuery)
  if (!b) return null
  const model = b.model ?? b.answered_last
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Fact label={t('settingsPage.whoAnswers')}>{b.enabled && model ? model : t('settingsPage.rules')}</Fact>
        <Fact label={t('settingsPage.calls')}>{f.amount(String(b.calls))}</Fact>
        <Fact label={t('settingsPage.inputTokens')}>{f.amount(String(b.input_tokens))}</Fact>
        <Fact label={t('settingsPage.outputTokens')}>{f.amount(String(b.output_tokens))}</Fact>
      </SimpleGrid>
      {b.enabled && !model && <Text size="sm" c="dimmed">{t('settingsPage.noModel')}</Text>}
      <AiBudget always />
    </Stack>
  )
}
