/** `claude-` as people write it: `claude-*`. */
export const patternOf = (prefix: string): string => (prefix.endsWith('*') ? prefix : `${prefix}*`)

/** "claude-*", "gpt-* or o1*": for use within a sentence. */
export function patternsInWords(prefixes: readonly string[]): string {
  const patterns = prefixes.map(patternOf)
  if (patterns.length < 2) return patterns[0] ?? ''
  return `${patterns.slice(0, -1).join(', ')} or ${patterns.at(-1)}`
}

/** Reads what was typed: separated by commas, spaces or lines; the star may be written or left out. */
export function readPrefixes(text: string): string[] {
  const words = text.split(/[\s,]+/).map((word) => word.replace(/\*+$/, ''))
  return [...new Set(words.filter((word) => word !== ''))]
}

/** An id made from a name: lowercase letters, digits and hyphens. */
export function idFromName(name: string): string {
  const words = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  return words.replace(/^[^a-z]+|-+$/g, '').slice(0, 40)
}
