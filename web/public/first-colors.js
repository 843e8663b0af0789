// Runs before anything is painted, so that nobody who chose dark is shown white first.
try {
  var chosen = localStorage.getItem('kakeai:colors')
  var dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
} catch { /* no storage: the default stands */ }
