import type { ComponentType } from 'react'
import { Navigate, useParams, type RouteObject } from 'react-router'
import { NotFound } from './parts/States'
import { lazily } from './parts/lazily'

function page(load: () => Promise<{ default: ComponentType }>) {
  const Lazy = lazily(load)
  return <Lazy />
}

function OldNotifications() {
  return <Navigate to="/inbox" replace />
}

function ToObjectives() {
  const { id } = useParams()
  return <Navigate to={`/objectives?cycle=${id ?? ''}`} replace />
}

export const routes: RouteObject[] = [
  { path: '/sign-in', element: page(() => import('./pages/SignIn')) },
  {
    path: '/',
    element: page(() => import('./shell/Frame')),
    children: [
      { index: true, element: page(() => import('./pages/Home')) },
      { path: 'objectives', element: page(() => import('./pages/Objectives')) },
      { path: 'objectives/new', element: page(() => import('./pages/ObjectiveNew')) },
      { path: 'objectives/:id', element: page(() => import('./pages/Objective')) },
      { path: 'objectives/:id/edit', element: page(() => import('./pages/ObjectiveEdit')) },
      { path: 'dialogues/:id', element: page(() => import('./pages/Dialogue')) },
      { path: 'cycles/:id', element: <ToObjectives /> },
      { path: 'inbox', element: page(() => import('./pages/Inbox')) },
      { path: 'notifications', element: <OldNotifications /> },
      { path: 'meetings', element: page(() => import('./pages/Meetings')) },
      { path: 'meetings/new', element: page(() => import('./pages/MeetingNew')) },
      { path: 'meetings/:id', element: page(() => import('./pages/Meeting')) },
      { path: 'occurrences/:id', element: page(() => import('./pages/Occurrence')) },
      { path: 'broadcasts', element: page(() => import('./pages/Broadcasts')) },
      { path: 'broadcasts/new', element: page(() => import('./pages/BroadcastNew')) },
      { path: 'broadcasts/:id', element: page(() => import('./pages/Broadcast')) },
      { path: 'broadcasts/:id/edit', element: page(() => import('./pages/BroadcastEdit')) },
      { path: 'organization', element: <Navigate to="/organization/members" replace /> },
      { path: 'organization/:tab', element: page(() => import('./pages/Organization')) },
      { path: 'teams/:id', element: page(() => import('./pages/Team')) },
      { path: 'account', element: page(() => import('./pages/Account')) },
      { path: '*', element: <NotFound /> },
    ],
  },
]
