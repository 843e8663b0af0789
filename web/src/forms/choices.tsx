import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { nameQuery, type Named } from '../api/names'
import { LateField, type LateProps } from '../parts/LateField'
import { lazily } from '../parts/lazily'
import type { Scope } from './found'

const Picker = lazily(() => import('./Picker'))
const ManyPicker = lazily(() => import('./ManyPicker'))

type One = LateProps & { value: string | null; onChange: (id: string | null) => void; clearable?: boolean; allowDeselect?: boolean; known?: { id: string; name: string } }
type Many = LateProps & { value: string[]; onChange: (ids: string[]) => void; max?: number }

function Late({ kind, scope, ...props }: One & { kind: Named; scope?: Scope }) {
  const known = props.known?.id === props.value ? props.known.name : undefined
  const named = useQuery({ ...nameQuery(kind, props.value ?? ''), enabled: props.value !== null && known === undefined })
  const shown = props.value === null ? undefined : (known ?? named.data ?? undefined)
  return (
    <Suspense fallback={<LateField {...props} shown={shown} />}>
      <Picker kind={kind} scope={scope} shown={shown} missing={named.data === null} {...props} />
    </Suspense>
  )
}

function LateMany({ kind, scope, ...props }: Many & { kind: Named; scope?: Scope }) {
  return (
    <Suspense fallback={<LateField {...props} />}>
      <ManyPicker kind={kind} scope={scope} {...props} />
    </Suspense>
  )
}

/** One person, found by name or address. The server looks: an organisation may have ten thousand of them. */
export function PersonSelect({ without, ...props }: One & { without?: string }) {
  return <Late kind="person" scope={{ without }} {...props} />
}

export function PeopleSelect({ without, ...props }: Many & { without?: string }) {
  return <LateMany kind="person" scope={{ without }} {...props} />
}

/** A team that is not archived. */
export function TeamSelect(props: One) {
  return <Late kind="team" {...props} />
}

/** Teams, maybe only among some. */
export function TeamsSelect({ among, ...props }: Many & { among?: string[] }) {
  return <LateMany kind="team" scope={{ among }} {...props} />
}

/** An objective, found by its title or those of its key results; of one cycle if there is one to keep to. */
export function ObjectiveSelect({ cycle, without, ...props }: One & { cycle?: string; without?: string }) {
  return <Late kind="objective" scope={{ cycle, without }} {...props} />
}
