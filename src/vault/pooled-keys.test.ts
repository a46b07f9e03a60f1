import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addKey, startVault } from '#test/vault'

const server = await startVault()
const openai = { id: 'openai', name: 'OpenAI' }

const change = (id: string, json: object) =>
  server.call(`/providers/key/${id}`, { method: 'PATCH', json, headers: { accept: 'application/json' } })

async function candidates(override?: string): Promise<[string, number][]> {
  const found = await server.vault.candidates(server.groupId, openai, override)
  return found.map(({ key, weight }) => [key.reveal(), weight])
}

test('pooled keys take over from each other: the chosen one first, the others in order of age', async () => {
  const first = await addKey(server, 'key-first-0001')
  const second = await addKey(server, 'key-second-0002')
  const third = await addKey(server, 'key-third-0003')
  const alone = await addKey(server, 'key-alone-0004')
  assert.deepEqual(await candidates(), [['key-first-0001', 1]], 'no key is pooled unless somebody says so')
  for (const [{ id }, weight] of [
    [first, 3],
    [third, 7],
    [second, 1],
  ] as const) {
    const { status, json, text } = await change(id, { pooled: true, weight })
    assert.deepEqual([status, json.pooled, json.weight], [200, true, weight], text)
  }
  assert.deepEqual(await candidates(), [
    ['key-first-0001', 3],
    ['key-second-0002', 1],
    ['key-third-0003', 7],
  ])
  assert.deepEqual(await candidates(third.id), [
    ['key-third-0003', 7],
    ['key-first-0001', 3],
    ['key-second-0002', 1],
  ])
  assert.deepEqual(await candidates(alone.id), [['key-alone-0004', 1]], 'one that is not pooled stays alone')
  await server.call(`/providers/key/${second.id}/deactivate`, { method: 'POST' })
  await change(third.id, { weight: 2 })
  assert.deepEqual(await candidates(), [
    ['key-first-0001', 3],
    ['key-third-0003', 2],
  ])
})

test('a bad weight is refused by name', async () => {
  const { id } = await addKey(server, 'key-weight-0005')
  for (const json of [{ weight: 0 }, { weight: 1001 }, { weight: 1.5 }, { weight: 'much' }, { weight: null }])
    assert.deepEqual(
      [(await change(id, json)).status, (await change(id, json)).json.error.param],
      [400, 'weight'],
      JSON.stringify(json),
    )
  for (const pooled of ['yes', 1, null])
    assert.equal((await change(id, { pooled })).json.error.param, 'pooled', JSON.stringify(pooled))
})
