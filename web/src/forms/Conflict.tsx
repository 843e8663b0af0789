import { lazy, Suspense } from 'react'
import type { ConflictProps } from './ConflictDialog'

const ConflictDialog = lazy(() => import('./ConflictDialog'))

/** The conflict view, which hardly anybody needs and so nobody loads beforehand. */
export function Conflict(props: ConflictProps) {
  return (
    <Suspense fallback={null}>
      <ConflictDialog {...props} />
    </Suspense>
  )
}
