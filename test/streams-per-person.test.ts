import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ownerTokenOf } from './harness/owner.ts'
import { startProduct } from './harness/product.ts'

const product = await startProduct({ MAX_STREAMS_PER_PERSON: '2', MAX_STREAMS_PER_KEY: '1' })
const open: AbortController[] = []
after(() => open.forEach((each) => each.abort()))

/** The status of a new stream, which stays open, or of its refusal with the reason. */
async function stream(headers: Record<string, string>): Promise<[number, string]> {
  const controller = new AbortController()
  open.push(controller)
  const { signal } = controller
  const response = await fetch(`${product.url}/api/console/stream`, { headers, signal })
  if (response.status === 200) return [200, '']
  assert.equal(response.headers.get('retry-after'), '10')
  const { error } = (await response.json()) as { error: { message: string; code: string } }
  return [response.status, `${error.code}: ${error.message}`]
}

async function newKey(): Promise<Record<string, string>> {
  const { json } = await product.call('/api/v1/keys', { json: { name: 'stream', scopes: ['read'] } })
  return { authorization: `Bearer ${json.key}` }
}

test('a key has a limited number of open streams, and so has a person with all their keys', async () => {
  const [first, second] = [await newKey(), await newKey()]
  assert.deepEqual(await stream(first), [200, ''])
  assert.deepEqual(await stream(first), [
    429,
    'rate_limit: The key has 1 open streams. Close one, or try again later.',
  ])
  assert.deepEqual(await stream({ 'x-owner-token': ownerTokenOf(product.url) ?? '' }), [200, ''])
  assert.deepEqual(await stream(second), [
    429,
    'rate_limit: The person has 2 open streams. Close one, or try again later.',
  ])
  // A key that no person has made is not concerned.
  assert.deepEqual(await stream({ authorization: `Bearer ${product.key}` }), [200, ''])
})
