export interface OverrideRow {
  provider: string
  keyId: string
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** What is wrong with a row, in the words of the form; a row left empty is no row. */
export function overrideProblem(rows: readonly OverrideRow[]): string | undefined {
  const filled = rows.filter((row) => !isEmpty(row))
  const seen = new Set<string>()
  for (const { provider, keyId } of filled) {
    const name = provider.trim()
    if (name === '') return 'Name the provider of each override.'
    if (!uuid.test(keyId.trim())) return `The provider key of ${name} is an id such as 6f1c2f0e-….`
    if (seen.has(name)) return `${name} is overridden twice.`
    seen.add(name)
  }
  return undefined
}

export function overridesFrom(rows: readonly OverrideRow[]): Record<string, string> {
  return Object.fromEntries(
    rows.filter((row) => !isEmpty(row)).map(({ provider, keyId }) => [provider.trim(), keyId.trim()]),
  )
}

export function rowsOf(overrides: Record<string, string>): OverrideRow[] {
  return Object.entries(overrides).map(([provider, keyId]) => ({ provider, keyId }))
}

const isEmpty = ({ provider, keyId }: OverrideRow) => provider.trim() === '' && keyId.trim() === ''
