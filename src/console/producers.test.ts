import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleModels, startGateway } from '#test/gateway'
import { waitFor } from '#test/wait'
import { list, titles } from './testing.ts'

const server = await startGateway()
const { call, openai, fake } = server
const messages = [{ role: 'user' as const, content: 'Hello' }]

test('gateway requests appear as api_call events that lead to the request log', async () => {
  const { request_id } = await openai.chat.completions
    .create({ model: exampleModels.openai, messages })
    .withResponse()
  const [event] = await waitFor('the event', async () => {
    const events = await list(server, '?type=api_call')
    return events.length > 0 && events
  })
  assert.equal(event?.source, 'gateway')
  assert.equal(event?.severity, 'info')
  assert.equal(event?.metadata['request_id'], request_id)
  assert.equal(event?.metadata['model'], exampleModels.openai)
})

test('a request that a provider fails appears as api_call and as error', async () => {
  fake.always({ provider: 'anthropic' }, { status: 500 } as never)
  await openai.chat.completions.create({ model: exampleModels.anthropic, messages }).catch(() => undefined)
  const events = await waitFor('both events', async () => {
    const found = await list(server, '?source=gateway&severity=error')
    return found.length >= 2 && found
  })
  assert.deepEqual(events.map(({ type }) => type).toSorted(), ['api_call', 'error'])
})

test('a secret in the place of the name of a model is masked in the event of its request', async () => {
  const secret = 'sk-ant-api03-0123456789abcdefghij'
  await openai.chat.completions.create({ model: `openai/${secret}`, messages }).catch(() => undefined)
  const [event] = await waitFor('the event', async () => {
    const events = await list(server, '?type=api_call')
    return events.some(({ title }) => title.includes('[masked]')) && events
  })
  assert.match(String(event?.metadata['model']), /\[masked\]/)
  assert.ok(!JSON.stringify(event).includes(secret.slice(-12)), JSON.stringify(event))
})

test('changes of keys appear as config events without the key', async () => {
  const { json } = await call('/api/v1/keys', { json: { name: 'ci', scopes: ['read'] } })
  const events = await waitFor('the event', async () => {
    const found = await list(server, '?type=config')
    return titles(found).includes('API key "ci" created') && found
  })
  assert.ok(!JSON.stringify(events).includes(json.key ?? json.value ?? 'sb-nothing'))
  assert.ok(titles(events).includes('Provider key "openai key" added'))
})

test('a synchronization of models appears as a sync event', async () => {
  const { status } = await call('/providers/openai/models/sync', {
    method: 'POST',
    headers: { accept: 'application/json' },
  })
  assert.equal(status, 200)
  const [event] = await waitFor('the event', async () => {
    const found = await list(server, '?type=sync')
    return found.length > 0 && found
  })
  assert.equal(event?.title, 'Models of OpenAI synchronized')
})

test('the console, which viewers read, does not say whose address was invited', async () => {
  const { json: me } = await call('/api/v1/me')
  const json = { role: 'member', email: 'ada@example.com' }
  assert.equal((await call(`/api/v1/groups/${me.group_id}/invitations`, { json })).status, 201)
  const events = await waitFor('the event', async () => {
    const found = await list(server, '?type=config')
    return titles(found).includes('Somebody invited as member') && found
  })
  assert.ok(!JSON.stringify(events).includes('ada@example.com'))
})
