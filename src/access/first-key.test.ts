import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startProduct, type Product } from '#test/product'
import { waitFor } from '#test/wait'

const local = await startProduct()

async function groupWithOneKey(product: Product, headers: Record<string, string> = {}): Promise<string> {
  const { json: group } = await product.call('/api/v1/groups', { json: { name: 'Lonely' }, headers })
  const made = await product.call('/api/v1/keys', { json: { name: 'only', group_id: group.id }, headers })
  assert.equal(made.status, 201, made.text)
  return group.id as string
}

test('the first key is shown to the local owner, in its own group and in no other', async () => {
  const shown = await local.call('/api/v1/welcome')
  assert.equal(shown.json.first_key, local.key)
  const lonely = await groupWithOneKey(local)
  assert.equal((await local.call(`/api/v1/welcome?group_id=${lonely}`)).json.first_key, null)
})

test('the first key is still shown when the group has other keys, and no longer once it was used', async () => {
  await local.call('/api/v1/keys', { json: { name: 'another' } })
  assert.equal((await local.call('/api/v1/welcome')).json.first_key, local.key)
  assert.equal((await local.call('/api/v1/me', { key: local.key })).status, 200)
  const isHidden = async () => (await local.call('/api/v1/welcome')).json.first_key === null
  await waitFor('the key to be hidden', isHidden, 10_000)
})

test('a person who signs in never sees the first key: not the first owner, and not the owner of another group', async () => {
  const strict = await startProduct({ AUTH: 'required' })
  const origin = { origin: strict.url }
  const joined = await strict.call('/api/auth/invitation/accept', {
    json: {
      token: strict.first.ownerToken?.reveal(),
      name: 'Owner',
      email: 'owner@example.com',
      password: 'correct horse battery',
    },
    headers: origin,
  })
  assert.equal(joined.status, 200, joined.text)
  const cookie = joined.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const session = { ...origin, cookie }
  const lonely = await groupWithOneKey(strict, session)
  for (const path of ['/api/v1/welcome', `/api/v1/welcome?group_id=${lonely}`]) {
    const { status, json } = await strict.call(path, { headers: session })
    assert.deepEqual([status, json.first_key], [200, null], path)
  }
})
