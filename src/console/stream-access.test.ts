import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startProduct, type Product } from '#test/product'
import { waitFor } from '#test/wait'
import { openTail, sample, send } from './testing.ts'

const server = await startProduct()
const replica = { ...(await startProduct({}, server.target)), key: server.key }

const newKey = async () =>
  (await server.call('/api/v1/keys', { json: { name: 'Reader', scopes: ['read', 'events'] } })).json as {
    id: string
    key: string
  }

/** Everything that the stream sends until the server ends it. */
async function openStream({ url }: Product, key: string): Promise<{ text: Promise<string> }> {
  const response = await fetch(`${url}/api/console/stream`, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(20_000),
  })
  assert.equal(response.status, 200)
  return { text: response.text() }
}

for (const [name, product] of [
  ['this process', server],
  ['another process', replica],
] as const) {
  test(`a stream of ${name} ends when its key is revoked or may no longer read`, async () => {
    const others = await openTail(product)
    const [revoked, narrowed] = [await newKey(), await newKey()]
    const streams = [await openStream(product, revoked.key), await openStream(product, narrowed.key)]
    await server.call(`/api/v1/keys/${revoked.id}`, { method: 'DELETE' })
    await server.call(`/api/v1/keys/${narrowed.id}`, { method: 'PATCH', json: { scopes: ['events'] } })
    const texts = await Promise.all(streams.map(({ text }) => text))
    await send(server, sample('Only for those who may read'))
    await waitFor('the event', () => others.titles().includes('Only for those who may read'))
    assert.equal(others.opened(), 1)
    for (const text of texts) assert.match(text, /^retry: 2000\n/)
  })
}
