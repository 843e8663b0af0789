export interface Piece {
  text: string
  kind: 'same' | 'removed' | 'added'
}

const longest = 600 // words; beyond, the table that finds what is common grows out of hand

const segmenter = typeof Intl.Segmenter === 'undefined' ? null : new Intl.Segmenter(undefined, { granularity: 'word' })

function words(text: string): string[] {
  return segmenter ? Array.from(segmenter.segment(text), (s) => s.segment) : text.split(/(?<=\s)/)
}

/** What two texts have in common and what not, by words; Japanese has words here, too. */
export function diffWords(before: string, after: string): Piece[] {
  const a = words(before)
  const b = words(after)
  if (a.length > longest || b.length > longest) return ([{ text: before, kind: 'removed' }, { text: after, kind: 'added' }] as Piece[]).filter((p) => p.text !== '')
  // The length of what a from i on and b from j on have in common.
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i--) for (let j = b.length - 1; j >= 0; j--) common[i]![j] = a[i] === b[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!)
  const pieces: Piece[] = []
  const put = (text: string, kind: Piece['kind']) => {
    const last = pieces.at(-1)
    if (last?.kind === kind) last.text += text
    else pieces.push({ text, kind })
  }
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      put(a[i]!, 'same')
      i++
      j++
    } else if (i < a.length && (j >= b.length || common[i + 1]![j]! >= common[i]![j + 1]!)) put(a[i++]!, 'removed')
    else put(b[j++]!, 'added')
  }
  return pieces
}
