/** A cell as a CSV has it. What a spreadsheet would compute has an apostrophe before it, which bringing the file in takes away. */
export function cell(text: string): string {
  const shown = /^[=+\-@\t\r＝＋－＠]/.test(text) && !/^[+-]?[\d.,]+$/.test(text) ? `'${text}` : text
  return /[",\r\n;\t]|^\s|\s$/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown
}

export function line(cells: string[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

/** Offers something that was made here as a file. */
export function save(parts: BlobPart[], name: string, type: string) {
  const address = URL.createObjectURL(new Blob(parts, { type }))
  const a = document.createElement('a')
  a.href = address
  a.download = name
  a.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
