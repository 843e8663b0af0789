import { Text } from '@mantine/core'
import { Fragment } from 'react'

const mention = /@\[([^\]]{1,200})\]\(member:([0-9a-f-]{36})\)/g

/** What somebody wrote, with whom they mention by name. */
export function Said({ children }: { children: string }) {
  const parts: React.ReactNode[] = []
  let at = 0
  for (const m of children.matchAll(mention)) {
    parts.push(<Fragment key={at}>{children.slice(at, m.index)}</Fragment>, <Text span key={`m${m.index}`} c="var(--mantine-color-anchor)" fw={600}>@{m[1]}</Text>)
    at = m.index + m[0].length
  }
  parts.push(<Fragment key={at}>{children.slice(at)}</Fragment>)
  return <div className="prose">{parts}</div>
}

/** How a mention travels. What people see while they write is @Name. */
export function withMentions(text: string, picked: { id: string; name: string }[]): string {
  let out = text
  for (const p of [...picked].sort((a, b) => b.name.length - a.name.length)) {
    out = out.replace(new RegExp(`@${p.name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\])`, 'g'), `@[${p.name}](member:${p.id})`)
  }
  return out
}
