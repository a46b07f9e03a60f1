import assert from 'node:assert/strict'
import { test } from 'node:test'
import OpenAI, { APIError } from 'openai'
import { lockTable } from '#test/database'
import { keyOf, startGateway } from '#test/gateway'
import { startProduct } from '#test/product'
import { openSocket } from '#test/socket'
import { waitFor } from '#test/wait'

const server = await startGateway()
const { fake } = server
/** Another process on the same database, or this one after a restart. */
const other = await startProduct({ ...fake.baseUrls, DATABASE_STATEMENT_TIMEOUT_MS: '2000' }, server.target)
const model = 'gpt-6-sol'
const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${server.url}/v1`, maxRetries: 0 })
const client = clientOf(server.key)

async function failure(work: Promise<unknown>): Promise<APIError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof APIError, String(error))
  return error
}

test('the key that made a stored response fetches, lists and deletes it, whole or streamed, at no cost', async () => {
  const whole = await client.responses.create({ model, input: 'Hello' })
  let streamed = ''
  for await (const event of await client.responses.create({ model, input: 'Hello', stream: true }))
    if (event.type === 'response.created') streamed = event.response.id
  for (const id of [whole.id, streamed]) {
    assert.equal((await client.responses.retrieve(id)).id, id)
    const items = await client.responses.inputItems.list(id, {
      order: 'asc',
      include: ['reasoning.encrypted_content'],
    })
    assert.equal(items.data.length, 1)
    assert.match(fake.requests.at(-1)?.query.toString() ?? '', /^order=asc&include/)
    const events: number[] = []
    for await (const event of await client.responses.retrieve(id, { stream: true, starting_after: 0 }))
      events.push(event.sequence_number)
    assert.deepEqual(events, [1, 2])
    assert.equal((await failure(client.responses.cancel(id))).status, 400)
    await client.responses.delete(id)
    const gone = await failure(client.responses.retrieve(id))
    assert.deepEqual([gone.status, gone.type], [404, 'invalid_request_error'])
    assert.match(gone.message, new RegExp(`Response with id '${id}' not found\\.`))
  }
  const rows = await waitFor('the log', async () => {
    const { json } = await server.call('/api/v1/logs?limit=100', { key: server.key })
    const found = (json.data as { endpoint: string; model: string; total_cost: string | null }[]).filter(
      ({ endpoint }) => endpoint === '/v1/responses/{response_id}/input_items',
    )
    return found.length === 2 && found
  })
  assert.deepEqual(
    rows.map((row) => [row.model, Number(row.total_cost)]),
    [
      [model, 0],
      [model, 0],
    ],
  )
})

test('another key, of the same group or of another one, gets 404 as if there were no such response', async () => {
  const made = await client.responses.create({ model, input: 'Mine' })
  const { json: group } = await server.call('/api/v1/groups', { json: { name: 'Other' } })
  const sent = fake.requests.length
  for (const place of [{}, { group_id: group.id }]) {
    const json = { name: 'other', scopes: ['gateway'], ...place }
    const { key } = (await server.call('/api/v1/keys', { json })).json
    const refused = await failure(clientOf(key).responses.retrieve(made.id))
    assert.equal(refused.status, 404)
    assert.match(refused.message, new RegExp(`Response with id '${made.id}' not found\\.`))
    assert.equal((await failure(clientOf(key).responses.delete(made.id))).status, 404)
  }
  assert.equal(fake.requests.length, sent)
  assert.equal((await client.responses.retrieve(made.id)).id, made.id)
})

test('a response that is not stored, and one of a model of another provider, is not found', async () => {
  const unstored = await client.responses.create({ model, input: 'Hello', store: false })
  const other = await client.responses.create({ model: 'claude-sonnet-5-5', input: 'Hello', store: false })
  const sent = fake.requests.length
  for (const id of [unstored.id, other.id, 'resp_..%2Fmodels', '..%2Fmodels'])
    assert.equal((await server.call(`/v1/responses/${id}`, { key: server.key })).status, 404)
  assert.equal(fake.requests.length, sent)
})

test('an id that a provider made up leads to no other path of it', async () => {
  const usual = await client.responses.create({ model, input: 'Hello' })
  const id = 'resp_x/../../models'
  fake.script({ provider: 'openai' }, { body: { json: { ...usual, id } } })
  assert.equal((await client.responses.create({ model, input: 'Hello' })).id, id)
  const sent = fake.requests.length
  assert.equal(
    (await server.call(`/v1/responses/${encodeURIComponent(id)}`, { key: server.key })).status,
    404,
  )
  assert.equal(fake.requests.length, sent)
})

test('a success that is no JSON is an error of the provider, and other spellings of stream are refused', async () => {
  const { id } = await client.responses.create({ model, input: 'Hello' })
  fake.script({ provider: 'openai', endpoint: 'stored' }, { body: '<html>maintenance</html>' })
  const broken = await server.call(`/v1/responses/${id}`, { key: server.key })
  assert.deepEqual([broken.status, broken.json.error.code], [502, 'provider_error'])
  for (const query of ['stream=True', 'stream=1', 'stream=true&stream=true', 'stream=']) {
    const refused = await server.call(`/v1/responses/${id}?${query}`, { key: server.key })
    assert.deepEqual([refused.status, refused.json.error.param], [400, 'stream'], query)
  }
})

/** Every request that continues a response. */
const continuations: [string, object][] = [
  ['/v1/responses', { input: 'And then?' }],
  ['/v1/responses', { input: 'And then?', stream: true }],
  ['/v1/responses/compact', { input: 'And then?' }],
  ['/v1/responses/input_tokens', { input: 'And then?' }],
]

const otherKey = async (place: object): Promise<string> =>
  (await server.call('/api/v1/keys', { json: { name: 'other', scopes: ['gateway'], ...place } })).json.key

test('a response is continued for the key that made it, also by a process that did not see it being made', async () => {
  const { id } = await client.responses.create({ model, input: 'Hello' })
  for (const url of [server.url, other.url])
    for (const [path, body] of continuations) {
      const sent = fake.requests.length
      const answer = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, previous_response_id: id, ...body }),
      })
      assert.equal(answer.status, 200, `${path} ${await answer.text()}`)
      assert.ok(fake.requests[sent]?.body.includes(id))
    }
})

test('a conversation that this process began continues without the database, where others get 503, and other requests do not ask it', async () => {
  const { id } = await client.responses.create({ model, input: 'Hello' })
  const next = { model, previous_response_id: id, input: 'And then?', store: false }
  const elsewhere = await other.call('/v1/responses', { key: server.key, json: next })
  assert.equal(elsewhere.status, 200, 'the database has it')
  const rows = await lockTable('gateway.stored_responses', server)
  try {
    for (const json of [next, { model, input: 'Hello', store: false }])
      assert.equal((await server.call('/v1/responses', { key: server.key, json })).status, 200)
    assert.equal(await rows.waiting(), 0)
    const unread = await other.call('/v1/responses', { key: server.key, json: next })
    assert.deepEqual([unread.status, unread.json.error.code], [503, 'unavailable'])
  } finally {
    await rows.release()
  }
})

test('a response of another key, of the same group or of another one, is not continued, as if it did not exist', async () => {
  const made = await client.responses.create({ model, input: 'Mine' })
  const { json: group } = await server.call('/api/v1/groups', { json: { name: 'Continues' } })
  const added = { api_key: keyOf('openai'), name: 'the same project', group_id: group.id }
  const headers = { accept: 'application/json' }
  assert.equal((await server.call('/providers/openai', { json: added, headers })).status, 201)
  const sent = fake.requests.length
  const unknown = 'resp_of_nobody'
  for (const key of [await otherKey({}), await otherKey({ group_id: group.id })])
    for (const [path, body] of continuations)
      for (const id of [made.id, unknown, '']) {
        const json = { model, previous_response_id: id, ...body }
        const { status, json: refused } = await server.call(path, { key, json })
        assert.deepEqual(
          [status, refused.error],
          [
            400,
            {
              message: `Previous response with id '${id}' not found.`,
              type: 'invalid_request_error',
              param: 'previous_response_id',
              code: 'previous_response_not_found',
            },
          ],
        )
      }
  assert.equal(fake.requests.length, sent)
})

test('over a WebSocket too, the response of another key is not continued', async () => {
  const { id } = await client.responses.create({ model, input: 'Mine' })
  const sent = fake.requests.length
  const stranger = await openSocket(server.url, await otherKey({}))
  const [refused] = await stranger.ask({ model, previous_response_id: id, input: 'And then?' })
  assert.equal(refused?.['error'].code, 'previous_response_not_found')
  assert.equal(fake.requests.length, sent)
  stranger.socket.close()
  const owner = await openSocket(server.url, server.key)
  const events = await owner.ask({ model, previous_response_id: id, input: 'And then?' })
  assert.equal(events.at(-1)?.['type'], 'response.completed')
  owner.socket.close()
})

test('an ID that is no text is refused before it reaches the provider', async () => {
  const { id } = await client.responses.create({ model, input: 'Mine' })
  const sent = fake.requests.length
  const json = { model, previous_response_id: [id], input: 'And then?' }
  const refused = await server.call('/v1/responses', { key: await otherKey({}), json })
  assert.deepEqual([refused.status, refused.json.error.param], [400, 'previous_response_id'])
  assert.equal(fake.requests.length, sent)
})
