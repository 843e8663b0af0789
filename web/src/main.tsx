import '@mantine/core/styles.css'
import './theme.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter, useRoutes } from 'react-router'
import { sessionQuery } from './api/queries'
import { sweepDrafts } from './forms/draft'
import { startLanguages } from './i18n'
import { nonce } from './nonce'
import { beginPage, routes } from './routes'
import { Mistakes } from './shell/Mistakes'
import { resolver, theme } from './theme'
import { lazily } from './parts/lazily'

// After all that a page needs, so that it keeps nobody waiting.
const Notices = lazily(async () => {
  await new Promise((resolve) => setTimeout(resolve, 1500))
  return import('./shell/Notices')
})

function Pages() {
  return useRoutes(routes)
}

const client = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 10_000, refetchOnWindowFocus: true }, // src/api/patience.ts sends again what is worth it
    mutations: { retry: false },
  },
})

const languages = startLanguages()
beginPage(location)
if (location.pathname !== '/sign-in') void client.prefetchQuery(sessionQuery)
await languages
sweepDrafts()
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={resolver} defaultColorScheme="auto" colorSchemeManager={localStorageColorSchemeManager({ key: 'kakeai:colors' })} getStyleNonce={() => nonce}>
      <QueryClientProvider client={client}>
        <Suspense fallback={null}>
          <Notices />
        </Suspense>
        <BrowserRouter>
          <Mistakes>
            <Suspense fallback={null}>
              <Pages />
            </Suspense>
          </Mistakes>
        </BrowserRouter>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
