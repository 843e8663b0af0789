/** The addresses in what somebody pasted: one to a line, or between commas, semicolons and spaces, with names or without. Each one once, as it is written first. */
export function addressesIn(text: string): string[] {
  const found = new Map<string, string>()
  for (const part of text.normalize('NFKC').split(/[\n\r,;、，；\t]+/)) {
    const within = /<([^<>]*)>/.exec(part)
    const words = within ? [within[1]!] : part.split(/\s+/)
    const addresses = words.map((w) => w.trim().replace(/^["'(]+|["')]+$/g, '')).filter((w) => w !== '')
    // Of a name without brackets only what looks like an address is meant; where nothing does, all of it is shown as wrong.
    const likely = addresses.filter((w) => w.includes('@'))
    for (const a of likely.length > 0 ? likely : addresses) if (!found.has(a.toLowerCase())) found.set(a.toLowerCase(), a)
  }
  return [...found.values()]
}
