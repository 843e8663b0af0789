import { useLayoutEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/** A new page begins at its top; the way back leads to where one was, which the browser knows as long as what was read is still here. */
export function useScroll() {
  const { pathname } = useLocation()
  const type = useNavigationType()
  useLayoutEffect(() => {
    if (type === 'PUSH') window.scrollTo(0, 0)
  }, [pathname, type])
}
