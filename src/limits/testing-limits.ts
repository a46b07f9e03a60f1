import assert from 'node:assert/strict'
import type { Product } from '#test/product'
import { startGateway, type GatewayProduct } from '#test/gateway'
import type { Limit } from './contract.ts'

export const model = 'gpt-6-sol'

/** A request costs 0.002 dollars: 1,000 tokens in at 1 dollar a million, 100 out at 10 dollars. */
export const requestCost = 0.002

/** The product with a model whose requests all cost the same. */
export async function startPriced(environment: Record<string, string> = {}): Promise<GatewayProduct> {
  const product = await startGateway(environment)
  product.fake.always('openai', { usage: { input: 1_000, output: 100, reasoning: 0, cached: 0 } })
  await setPrice(product, model, '1', '10')
  return product
}

export async function setPrice(product: Product, of: string, input: string, output: string): Promise<void> {
  const json = { input_price_per_1m: input, output_price_per_1m: output }
  const { status, text } = await product.call(`/api/v1/pricing/${of}`, { method: 'PUT', json })
  assert.ok(status < 300, text)
}

export async function setLimit(product: Product, json: object): Promise<Limit> {
  const { status, json: made, text } = await product.call('/api/v1/limits', { json })
  assert.equal(status, 201, text)
  return made as Limit
}

export async function readLimit(product: Product, id: string): Promise<Limit> {
  return (await product.call(`/api/v1/limits/${id}`)).json as Limit
}

export const removeLimit = (product: Product, id: string) =>
  product.call(`/api/v1/limits/${id}`, { method: 'DELETE' })

/** Of about 1,000 tokens, as the fake provider says. */
const content = 'a word '.repeat(450)

export const ask = (product: Product, more: object = {}, key = product.key) =>
  product.call('/v1/chat/completions', {
    key,
    json: { model, max_tokens: 100, messages: [{ role: 'user', content }], ...more },
  })
