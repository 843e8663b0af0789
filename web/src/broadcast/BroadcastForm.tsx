import { Button, Group, Radio, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Schemas } from '../api/problem'
import { PeopleSelect, TeamsSelect } from '../forms/choices'
import type { Draft } from '../forms/draft'
import { DraftNote } from '../forms/DraftNote'
import type { useSend } from '../forms/useSend'
import { ProblemNote } from '../parts/ProblemNote'
import { useMe } from '../session/me'

export interface BroadcastTyped {
  title: string
  body: string
  kind: Schemas['BroadcastAudience']['kind']
  team_ids: string[]
  member_ids: string[]
  by_mail: boolean
  revision?: number
}

export function audienceOf(v: BroadcastTyped): Schemas['BroadcastAudience'] {
  return v.kind === 'teams' ? { kind: 'teams', team_ids: v.team_ids } : v.kind === 'people' ? { kind: 'people', member_ids: v.member_ids } : { kind: 'organization' }
}

interface Props {
  draft: Draft<BroadcastTyped>
  sending: Pick<ReturnType<typeof useSend<BroadcastTyped, unknown>>, 'send' | 'busy' | 'problem' | 'error' | 'touch'>
  back: string
}

export function BroadcastForm({ draft, sending, back }: Props) {
  const { t } = useTranslation()
  const me = useMe()
  const v = draft.value
  const put = (part: Partial<BroadcastTyped>) => {
    for (const name of Object.keys(part)) sending.touch(`/${name}`)
    draft.set((d) => ({ ...d, ...part }))
  }
  const audienceError = sending.error('/audience') ?? sending.error('/audience/team_ids') ?? sending.error('/audience/member_ids') ?? sending.error('/audience/kind')
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        sending.send(v)
      }}
    >
      <Stack>
        <DraftNote restored={draft.restored} discard={() => draft.clear()} />
        <TextInput label={t('broadcasts.subject')} size="md" required withAsterisk={false} maxLength={200} value={v.title} error={sending.error('/title')} onChange={(e) => put({ title: e.currentTarget.value })} />
        <Textarea label={t('broadcasts.body')} autosize minRows={6} maxLength={20000} required withAsterisk={false} value={v.body} error={sending.error('/body')} onChange={(e) => put({ body: e.currentTarget.value })} />
        <Radio.Group label={t('broadcasts.audience')} value={v.kind} onChange={(kind) => put({ kind: kind as BroadcastTyped['kind'] })} error={audienceError}>
          <Group mt="xs">
            {me.administers && <Radio value="organization" label={t('broadcasts.everybody')} />}
            <Radio value="teams" label={t('broadcasts.teams')} />
            {me.administers && <Radio value="people" label={t('broadcasts.people')} />}
          </Group>
        </Radio.Group>
        {v.kind === 'teams' && <TeamsSelect label={t('broadcasts.teams')} among={me.administers ? undefined : me.lead_team_ids} value={v.team_ids} onChange={(team_ids) => put({ team_ids })} />}
        {v.kind === 'people' && <PeopleSelect label={t('broadcasts.people')} value={v.member_ids} onChange={(member_ids) => put({ member_ids })} />}
        <Switch label={t('broadcasts.byMail')} checked={v.by_mail} onChange={(e) => put({ by_mail: e.currentTarget.checked })} />
        {sending.problem && <ProblemNote problem={sending.problem} />}
        <Group justify="flex-end">
          <Button variant="default" component={Link} to={back}>{t('do.cancel')}</Button>
          <Button type="submit" loading={sending.busy}>{t('broadcasts.create')}</Button>
        </Group>
      </Stack>
    </form>
  )
}
