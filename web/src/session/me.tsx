import { createContext, useContext } from 'react'
import type { Schemas } from '../api/problem'

export type Session = Schemas['Session']

export const MeContext = createContext<Session | null>(null)

/** Who is signed in. Only inside the frame, which shows nothing to anybody else. */
export function useMe(): Session & { administers: boolean; writes: boolean; draftKey: (name: string) => string } {
  const me = useContext(MeContext)
  if (!me) throw new Error('useMe outside of the frame')
  return { ...me, administers: me.role === 'owner' || me.role === 'admin', writes: me.role !== 'viewer', draftKey: (name) => `${me.organization.id}:${me.user.id}:${name}` }
}
