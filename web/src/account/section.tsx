import { Suspense } from 'react'
import { needAreas } from '../i18n'
import { Loading } from '../parts/States'
import { lazily } from '../parts/lazily'

const Tokens = lazily(async () => (await Promise.all([import('./Tokens'), needAreas(['tokens'])]))[0])

/** The tokens, loaded with their words once the page is there. */
export function TokensSection() {
  return (
    <Suspense fallback={<Loading rows={2} />}>
      <Tokens />
    </Suspense>
  )
}
