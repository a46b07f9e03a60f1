import type { Product } from './product.ts'

/** Creates a record through its route; returns its ID. */
export async function createRecord(
  { call }: Pick<Product, 'call'>,
  path: string,
  json: object,
): Promise<string> {
  const { status, json: made, text } = await call(path, { json })
  if (status !== 201) throw new Error(text)
  return (made as { id: string }).id
}
