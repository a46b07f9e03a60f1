import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startGateway } from '#test/gateway'

const server = await startGateway()

test("today's requests of a route are counted by who answered, in its group", async () => {
  const targets = [{ model: 'openai/gpt-6-sol' }]
  const { status, text } = await server.call('/api/v1/routes', { json: { name: 'fast', targets } })
  assert.equal(status, 201, text)
  const ask = (model: string) =>
    server.call('/v1/chat/completions', {
      key: server.key,
      json: { model, messages: [{ role: 'user', content: 'Hello' }] },
    })
  for (const model of ['fast', 'fast', 'gpt-6-sol']) assert.equal((await ask(model)).status, 200)
  const shares = async (headers = {}) =>
    (await server.call('/api/v1/analytics/route-shares', { headers })).json.data
  assert.deepEqual(await shares(), [{ route: 'fast', provider: 'openai', model: 'gpt-6-sol', requests: 2 }])
  const { json: others } = await server.call('/api/v1/groups', { json: { name: 'Others' } })
  assert.deepEqual(await shares({ 'x-group-id': others.id }), [])
})
