import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startProduct } from './harness/product.ts'
import { waitFor } from './harness/wait.ts'

const { call } = await startProduct()

const statusWith = async (key: string): Promise<number> => (await call('/api/v1/me', { key })).status

/** Rotates the key until its old value was seen to be good: on a busy machine the overlap may be over before that. */
async function rotatedKey(): Promise<{ value: string; endsAt: number }> {
  const { id, key } = (await call('/api/v1/keys', { json: { name: 'rotated', scopes: ['read'] } })).json
  let value = key as string
  for (;;) {
    const rotated = await call(`/api/v1/keys/${id}/rotate`, { json: { overlap_seconds: 2 } })
    assert.equal(rotated.status, 200, rotated.text)
    const endsAt = Date.now() + 2_000
    if ((await statusWith(value)) === 200) return { value, endsAt }
    value = rotated.json.key as string
  }
}

test('the value before a rotation is refused when its overlap is over, also by a server that knows it', async () => {
  const { value, endsAt } = await rotatedKey()
  await waitFor('the overlap to end', () => Date.now() > endsAt)
  assert.equal(await statusWith(value), 401)
})
