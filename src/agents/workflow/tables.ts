/** Names of tables are compared as they are written: `orders` may be `public.orders`, and neither is `old.orders`. */
export function isSameTable(one: string, other: string): boolean {
  const [name, schema] = partsOf(one)
  const [otherName, otherSchema] = partsOf(other)
  return name === otherName && (schema === undefined || otherSchema === undefined || schema === otherSchema)
}

const partsOf = (name: string): (string | undefined)[] => name.replaceAll('"', '').split('.').toReversed()

export const hasTable = (list: readonly string[], table: string): boolean =>
  list.some((each) => isSameTable(each, table))
