export interface Mentioned {
  id: string
  name: string
}

export const mention = /@\[([^\]]{1,200})\]\(member:([0-9a-f-]{36})\)/g

/** How a mention travels. What people see while they write is @Name. */
export function withMentions(text: string, picked: Mentioned[]): string {
  let out = text
  for (const p of [...picked].sort((a, b) => b.name.length - a.name.length)) {
    out = out.replace(new RegExp(`@${p.name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\])`, 'g'), `@[${p.name}](member:${p.id})`)
  }
  return out
}

/** The same the other way round: a text that has travelled, as it is written. */
export function withoutMentions(text: string): { body: string; picked: Mentioned[] } {
  const picked: Mentioned[] = []
  const body = text.replace(mention, (_, name: string, id: string) => {
    if (!picked.some((p) => p.id === id)) picked.push({ id, name })
    return `@${name}`
  })
  return { body, picked }
}
