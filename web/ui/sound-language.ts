/**
 * uPlot formats numbers in the browser's language as soon as it is loaded, and fails where that is no language: Chromium
 * says `en-US@posix` on a machine without a locale. Must be imported before it.
 */
try {
  Intl.getCanonicalLocales(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true })
}
