/** Patterns of names, in which `*` stands for any text, also none. Browser-safe. */

/** Takes as long as the name and the pattern together are, whatever they hold. */
export function matchesName(pattern: string, name: string): boolean {
  const [head = '', ...rest] = pattern.split('*')
  const tail = rest.pop()
  if (tail === undefined) return name === pattern
  if (!name.startsWith(head)) return false
  let at = head.length
  for (const part of rest) {
    const found = name.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return name.length - tail.length >= at && name.endsWith(tail)
}

/**
 * Whether every name that `narrow` stands for matches one of `wide`. A star of the narrow one is read as a sign that
 * only a star can match, so the answer may be no where several patterns together would do, and is never wrongly yes.
 */
export function coversNames(wide: readonly string[], narrow: readonly string[]): boolean {
  return narrow.every((pattern) => wide.some((each) => matchesName(each, pattern)))
}
