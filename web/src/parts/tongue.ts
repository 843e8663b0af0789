/** What language a text is in that somebody wrote, as far as its letters tell: kana are Japanese, and words of nothing but plain letters are taken for English. So it is broken into lines and spoken as its readers would. */
export function tongue(text: string | undefined): 'ja' | 'en' | undefined {
  if (!text) return undefined
  if (/[\u3041-\u30fa]/.test(text)) return 'ja'
  return /^[\x20-\x7e\s‘’“”–—…]+$/.test(text) && /[a-z]{2} [a-z]{2}/i.test(text) ? 'en' : undefined
}
