import assert from 'node:assert/strict'
import type { Answer, Product } from '#test/product'

interface LoggedActivity {
  type: string
  severity: string
  service: string | null
  source: string
  title: string
  message: string
  metadata: Record<string, unknown>
}

/** The activity events that a server has emitted, as its log has them. */
export function activitiesOf(product: Product): LoggedActivity[] {
  return product
    .logged()
    .split('\n')
    .filter((line) => line.includes('"event":"activity"'))
    .map((line) => JSON.parse(line) as LoggedActivity)
}

/** Sends JSON with the first key and checks the status. */
export async function send(
  product: Product,
  method: string,
  path: string,
  json: unknown,
  status: number,
): Promise<Answer['json']> {
  const answer = await product.call(path, { method, key: product.key, ...(json !== undefined && { json }) })
  assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`)
  return answer.json
}

/** A key of the first group with these scopes only. */
export async function keyWith(product: Product, scopes: readonly string[]): Promise<string> {
  const made = await product.call('/api/v1/keys', { json: { name: scopes.join(' '), scopes } })
  assert.equal(made.status, 201, made.text)
  return made.json.key as string
}
