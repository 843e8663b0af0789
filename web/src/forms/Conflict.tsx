import { Suspense } from 'react'
import type { ConflictProps } from './ConflictDialog'
import { lazily } from '../parts/lazily'

const ConflictDialog = lazily(() => import('./ConflictDialog'))

/** The conflict view, which hardly anybody needs and so nobody loads beforehand. */
export function Conflict(props: ConflictProps) {
  return (
    <Suspense fallback={null}>
      <ConflictDialog {...props} />
    </Suspense>
  )
}
