/** Reads texts from search parameters. The router parses a number as one; a service may be named so. */
export function readTexts<const Name extends string>(
  search: Record<string, unknown>,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const value = search[name]
    if ((typeof value === 'string' || typeof value === 'number') && value !== '') found[name] = String(value)
  }
  return found
}

/** Reads one of several words; others are dropped. */
export const readWord = <Word extends string>(value: unknown, words: readonly Word[]): Word | undefined =>
  words.find((word) => word === value)

/** Reads switches: those that are on. */
export function readSwitches<const Name extends string>(
  search: Record<string, unknown>,
  names: readonly Name[],
): Partial<Record<Name, true>> {
  const found: Partial<Record<Name, true>> = {}
  for (const name of names) if (search[name] === true) found[name] = true
  return found
}
