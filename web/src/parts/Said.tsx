import { Text } from '@mantine/core'
import { Fragment } from 'react'
import { mention } from './mentions'
import { tongue } from './tongue'

/** What somebody wrote, with whom they mention by name. */
export function Said({ children }: { children: string }) {
  const parts: React.ReactNode[] = []
  let at = 0
  for (const m of children.matchAll(mention)) {
    parts.push(<Fragment key={at}>{children.slice(at, m.index)}</Fragment>, <Text span key={`m${m.index}`} c="var(--mantine-color-anchor)" fw={600}>@{m[1]}</Text>)
    at = m.index + m[0].length
  }
  parts.push(<Fragment key={at}>{children.slice(at)}</Fragment>)
  return <div className="prose" lang={tongue(children)}>{parts}</div>
}
