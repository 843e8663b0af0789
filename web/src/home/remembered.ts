// Small things that somebody has settled in this browser.

export function remembered(key: string) {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
}

export function remember(key: string) {
  try {
    localStorage.setItem(key, '1')
  } catch {
    // it is then shown again
  }
}
