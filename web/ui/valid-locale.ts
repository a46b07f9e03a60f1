/**
 * uPlot formats numbers in the browser's language when it is loaded and throws if the language is invalid, such as
 * `en-US@posix` in Chromium on a machine without a locale. Must be imported before uPlot; in the file that imports
 * uPlot it would run too late, because imports run first.
 */
try {
  Intl.getCanonicalLocales(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true })
}
