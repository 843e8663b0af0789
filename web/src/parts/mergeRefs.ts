import { useMemo, type Ref, type RefCallback } from 'react'

/** One ref that sets several. It stands in for the one function that Mantine's scroll area takes from @floating-ui/react (see vite.config.ts). */
export function useMergeRefs<T>(refs: (Ref<T> | undefined)[]): RefCallback<T> | null {
  return useMemo(() => {
    if (refs.every((ref) => ref === null || ref === undefined)) return null
    return (node: T | null) => {
      const undo = refs.map((ref) => {
        if (typeof ref === 'function') {
          const done = ref(node)
          return typeof done === 'function' ? done : () => void ref(null)
        }
        if (ref) ref.current = node
        return () => {
          if (ref) ref.current = null
        }
      })
      return () => undo.forEach((f) => f())
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps, react-hooks/use-memo -- as many as there were the first time
  }, refs)
}
