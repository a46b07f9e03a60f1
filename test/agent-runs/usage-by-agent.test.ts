import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRuns } from '#test/runs'

const it = await startRuns()
await it.agent('plain')
await it.agent('other')
for (const agent of ['plain', 'plain', 'other']) {
  it.script({ text: 'Done.' })
  await it.ask(agent)
}

interface Sums {
  api_key_id: string | null
  api_key_name: string | null
  requests: number
  total_cost: string
}
const byKey = async (query = ''): Promise<Sums[]> =>
  (await it.call(`/api/v1/analytics/by-key${query}`)).json.data
const logs = async (query: string) => (await it.call(`/api/v1/logs?${query}`)).json

test('usage by key has one row for all runs of an agent', async () => {
  const rows = (await byKey()).filter(({ api_key_name: name }) => name?.startsWith('agent '))
  assert.deepEqual(
    rows.map((row) => [row.api_key_id, row.api_key_name, row.requests]),
    [
      ['agent:plain', 'agent plain', 2],
      ['agent:other', 'agent other', 1],
    ],
  )
  const [plain, other] = rows.map(({ total_cost: cost }) => Number(cost))
  assert.ok(plain && other && Math.abs(plain - 2 * other) < 1e-12, `${plain} ${other}`)
})

test('the log is filtered by the runs of an agent, and its rows name the agent', async () => {
  const { data, api_key_names: names } = await logs('api_key_id=agent:plain')
  assert.deepEqual(
    data.map((row: Sums) => names[row.api_key_id ?? '']),
    ['agent plain', 'agent plain'],
  )
  assert.equal(Object.keys(names).length, 2)
  assert.notEqual(data[0].api_key_id, data[1].api_key_id)
  assert.equal((await logs('api_key_id=agent:plain&api_key_id=agent:other')).data.length, 3)
  assert.deepEqual((await logs('api_key_id=agent:nobody')).data, [])
  assert.equal((await byKey('?api_key_id=agent:other')).length, 1)
  for (const bad of ['agent:', 'agent:A', 'agent'])
    assert.equal((await it.call(`/api/v1/logs?api_key_id=${bad}`)).status, 400, bad)
})
