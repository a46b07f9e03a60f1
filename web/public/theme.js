// Sets the theme before the first paint. A file of its own, because the page forbids inline scripts.
;(() => {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const apply = () => {
    let choice = null
    try {
      choice = localStorage.getItem('signalbox.theme')
    } catch {
      // Storage may be forbidden; the system's theme is then the only one.
    }
    const dark = choice === 'dark' || (choice !== 'light' && system.matches)
    document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  }
  apply()
  system.addEventListener('change', apply)
  addEventListener('storage', apply)
  addEventListener('signalbox:theme', apply)
})()
