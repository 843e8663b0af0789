import { isValidElement, type ComponentType } from 'react'
import { matchRoutes, Navigate, type RouteObject } from 'react-router'
import { needAreas } from './i18n'
import type { Area } from './i18n/areas'
import { NotFound } from './parts/States'
import { lazily } from './parts/lazily'

/** A page that is loaded when somebody goes there, with the messages of the areas it needs. */
function page(load: () => Promise<{ default: ComponentType }>, ...areas: Area[]) {
  const whole = async () => (await Promise.all([load(), needAreas(areas)]))[0]
  return <PageOf Lazy={lazily(whole)} begin={whole} />
}

function PageOf({ Lazy }: { Lazy: ComponentType; begin: () => Promise<unknown> }) {
  return <Lazy />
}

/** Begins to load all that an address needs, at once, instead of one part after the other has asked for it. */
export function beginPage(address: { pathname: string }) {
  for (const { route } of matchRoutes(routes, address) ?? []) {
    if (isValidElement<{ begin?: () => Promise<unknown> }>(route.element)) route.element.props.begin?.().catch(() => undefined) // whoever needs it asks again, and is told
  }
}

function OldNotifications() {
  return <Navigate to="/inbox" replace />
}

export const routes: RouteObject[] = [
  { path: '/sign-in', element: page(() => import('./pages/SignIn')) },
  { path: '/invitation', element: page(() => import('./pages/Invitation'), 'invitation') },
  {
    path: '/',
    element: page(() => import('./shell/Frame')),
    children: [
      { index: true, element: page(() => import('./pages/Home'), 'front') },
      { path: 'objectives', element: page(() => import('./pages/Objectives'), 'lists') },
      { path: 'objectives/new', element: page(() => import('./pages/ObjectiveNew')) },
      { path: 'objectives/:id', element: page(() => import('./pages/Objective')) },
      { path: 'objectives/:id/edit', element: page(() => import('./pages/ObjectiveEdit')) },
      { path: 'dialogues/:id', element: page(() => import('./pages/Dialogue'), 'budget', 'coach', 'talk') },
      { path: 'cycles/:id/scores', element: page(() => import('./pages/CycleScores'), 'cycles') },
      { path: 'cycles/:id/carry-over', element: page(() => import('./pages/CarryOver'), 'cycles') },
      { path: 'cycles', element: page(() => import('./pages/Cycle'), 'progress') },
      { path: 'cycles/:id', element: page(() => import('./pages/Cycle'), 'progress') },
      { path: 'search', element: page(() => import('./pages/Search'), 'find') },
      { path: 'inbox', element: page(() => import('./pages/Inbox'), 'news') },
      { path: 'notifications', element: <OldNotifications /> },
      { path: 'meetings', element: page(() => import('./pages/Meetings'), 'meetings') },
      { path: 'meetings/new', element: page(() => import('./pages/MeetingNew'), 'meetings') },
      { path: 'meetings/:id', element: page(() => import('./pages/Meeting'), 'meetings') },
      { path: 'meetings/:id/edit', element: page(() => import('./pages/MeetingEdit'), 'meetings') },
      { path: 'occurrences/:id', element: page(() => import('./pages/Occurrence'), 'meetings') },
      { path: 'broadcasts', element: page(() => import('./pages/Broadcasts'), 'broadcasts') },
      { path: 'broadcasts/new', element: page(() => import('./pages/BroadcastNew'), 'broadcasts') },
      { path: 'broadcasts/:id', element: page(() => import('./pages/Broadcast'), 'broadcasts') },
      { path: 'broadcasts/:id/edit', element: page(() => import('./pages/BroadcastEdit'), 'broadcasts') },
      { path: 'organization', element: <Navigate to="/organization/members" replace /> },
      { path: 'organization/import/:id', element: page(() => import('./pages/Import'), 'exchange') },
      { path: 'organization/webhooks/:id', element: page(() => import('./pages/Webhook'), 'hooks', 'people', 'things') },
      { path: 'organization/:tab', element: page(() => import('./pages/Organization'), 'people') },
      { path: 'export', element: page(() => import('./pages/Export'), 'exchange') },
      { path: 'teams/:id', element: page(() => import('./pages/Team')) },
      { path: 'account', element: page(() => import('./pages/Account'), 'own') },
      { path: '*', element: <NotFound /> },
    ],
  },
]
