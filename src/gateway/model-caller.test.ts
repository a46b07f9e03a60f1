import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createAccess } from '#access'
import { loadConfig } from '#kernel/config'
import { masterKey } from '#kernel/datadir'
import { openDatabase } from '#kernel/db'
import { createEvents } from '#kernel/events'
import { createHttp } from '#kernel/http'
import { createJobs } from '#kernel/jobs'
import { createLog } from '#kernel/log'
import { createMetrics } from '#kernel/metrics'
import { createUsage } from '#usage'
import { createVault } from '#vault'
import { exampleModels, startGateway } from '#test/gateway'
import { temporaryFolder } from '#test/product'
import { waitFor } from '#test/wait'
import { builtInPrices, createCatalog, createGateway } from './index.ts'

let stop = async (): Promise<void> => undefined
after(() => stop())
const secret = { MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
const server = await startGateway({ ...secret, REQUEST_TIMEOUT_MS: '5000' })
const { groupId } = server.first
const models = await startCaller()
const messages = [{ role: 'user', content: 'What happened?' }]
const call = { groupId, purpose: 'test', request: { model: exampleModels.anthropic, messages } }

/** A second process on the same database, which hands out what parts get of the gateway. */
async function startCaller() {
  const config = loadConfig({
    ...server.fake.baseUrls,
    ...secret,
    DATA_DIR: temporaryFolder(),
    REQUEST_TIMEOUT_MS: '5000',
  })
  const log = await createLog({ level: 'silent', form: 'json' })
  const database = openDatabase(server.target, log)
  const events = createEvents(log)
  const metrics = createMetrics()
  const kernel = {
    ...{ config, log, database, events, metrics },
    jobs: createJobs(database, log, events),
    version: '1',
  }
  const access = createAccess(kernel)
  const catalog = createCatalog(kernel)
  const vault = createVault({ ...kernel, masterKey: masterKey(config), providers: catalog.providers })
  const usage = createUsage({
    ...kernel,
    builtInPrices: builtInPrices(config),
    providerOf: catalog.providerOf,
    syncedPrices: catalog.syncedPrices,
    names: {
      resolveProvider: catalog.providers.resolveId,
      apiKeyNames: access.keyNames,
      runKeyAgents: access.runKeyAgents,
      keyPeople: access.keyPeople,
      providerKeyNames: vault.keyNames,
    },
  })
  const { meter, listPrice } = usage
  const gateway = createGateway({
    ...{ ...kernel, catalog, vault, meter, listPrice },
    principalFor: access.principalFor,
  })
  const http = await createHttp({ ...kernel, resolvers: access.resolvers })
  const parts = [access, catalog, vault, usage]
  for (const part of parts) await part.start?.()
  stop = async () => {
    await http.close()
    for (const part of [...parts, gateway].toReversed()) await part.stop?.()
    await database.close()
  }
  return {
    complete: gateway.models.complete,
    stream: gateway.models.stream,
    check: gateway.models.check,
    routes: () => gateway.routes?.(http),
    costs: usage.sessions.costs,
    access,
  }
}

test('a process without the gateway says so', async () => {
  await assert.rejects(models.complete(call), { status: 503, message: /does not run the gateway/ })
  models.routes()
})

test('a model is asked through the gateway; the log has the request under Signalbox, its purpose and session', async () => {
  server.fake.always('anthropic', () => ({ text: 'All went well.' }))
  const session = `run-${randomUUID()}`
  const { text, requestId, finishReason, toolCalls } = await models.complete({ ...call, session })
  assert.deepEqual([text, finishReason, toolCalls], ['All went well.', 'stop', []])
  const costs = await models.costs(groupId, [session])
  const { json } = await server.call(`/api/v1/logs/${requestId}`, { key: server.key })
  assert.deepEqual(
    [json.api_key_name, json.user_label, json.session_key, json.model, json.status_code],
    ['Signalbox', 'test', session, exampleModels.anthropic, 200],
  )
  assert.deepEqual(costs.get(session), [
    { model: exampleModels.anthropic, requests: 1, unpriced: 0, cost: json.total_cost },
  ])
})

test('calls of tools are handed on with their arguments', async () => {
  server.fake.always('anthropic', () => ({ text: '', toolCalls: [{ name: 'look', arguments: { at: 1 } }] }))
  const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }]
  const { toolCalls, finishReason } = await models.complete({ ...call, request: { ...call.request, tools } })
  assert.deepEqual(
    [finishReason, toolCalls.map((each) => [each.name, JSON.parse(each.arguments)])],
    ['tool_calls', [['look', { at: 1 }]]],
  )
})

test('a refusal is handed on in its words, streamed or not', async () => {
  for (const provider of ['anthropic', 'openai', 'gemini'] as const) {
    server.fake.always(provider, () => ({ refusal: 'I cannot help with that.' }))
    const asked = { ...call, request: { model: exampleModels[provider], messages } }
    const replies = [await models.complete(asked), await models.stream(asked, () => assert.fail('no text'))]
    for (const { refusal } of replies) assert.equal(refusal, 'I cannot help with that.', provider)
  }
})

test('a streamed response comes in pieces, and whole at the end as an unstreamed one', async () => {
  for (const provider of ['anthropic', 'openai', 'gemini', 'perplexity', 'openrouter'] as const) {
    server.fake.always(provider, () => ({
      text: 'Let me look.',
      toolCalls: [{ name: 'look', arguments: { at: 1 } }],
    }))
    const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }]
    const request = { model: exampleModels[provider], messages, tools }
    const pieces: string[] = []
    const streamed = await models.stream({ ...call, request }, (piece) => pieces.push(piece))
    const { id: first } = streamed.toolCalls[0] ?? { id: '' }
    const results = [{ role: 'tool', tool_call_id: first, content: 'seen' }]
    server.fake.always(provider, () => ({ text: 'Seen.' }))
    // What the provider needs back with the results is in the message.
    const again = { ...request, messages: [...messages, streamed.message, ...results] }
    const { text } = await models.complete({ ...call, request: again })
    assert.deepEqual(
      [
        streamed.text,
        pieces.join(''),
        streamed.toolCalls.map((each) => [each.name, JSON.parse(each.arguments)]),
        text,
      ],
      ['Let me look.', 'Let me look.', [['look', { at: 1 }]], 'Seen.'],
      provider,
    )
    assert.ok(pieces.length > 1, provider)
  }
})

test('a stream that breaks off rejects, after the pieces that came', async () => {
  server.fake.always('anthropic', () => ({ text: 'One two three four five', endAfterChunks: 7 }))
  const pieces: string[] = []
  await assert.rejects(
    models.stream(call, (piece) => pieces.push(piece)),
    { code: 'provider_error' },
  )
  assert.match(pieces.join(''), /^One/)
})

test('it is known before a call that a model has no provider, or its provider no key', async () => {
  await models.check(groupId, exampleModels.anthropic)
  await assert.rejects(models.check(groupId, 'no-such-model'), { code: 'model_not_found' })
  await assert.rejects(models.check(randomUUID(), exampleModels.anthropic), { code: 'no_provider_key' })
})

test('a refusal is the fault that a client would get', async () => {
  const unknown = { ...call, request: { ...call.request, model: 'no-such-model' } }
  await assert.rejects(models.complete(unknown), { status: 404, code: 'model_not_found' })
  await assert.rejects(models.complete({ ...call, groupId: randomUUID() }), {
    status: 404,
    code: 'not_found',
  })
})

test('a call that is given up is cancelled upstream, and its log entry says so', async () => {
  const sent = server.fake.requests.length
  server.fake.always('anthropic', { hang: 'after-headers' })
  const controller = new AbortController()
  const session = 'given-up'
  const pending = models.complete({ ...call, session, signal: controller.signal })
  const upstream = await waitFor('the request upstream', () => server.fake.requests[sent])
  controller.abort()
  await assert.rejects(pending)
  await upstream.waitForAbort()
  const [logged] = await waitFor('the log entry', async () => {
    await models.costs(groupId, [session])
    const { json } = await server.call(`/api/v1/logs?session=${session}`, { key: server.key })
    return json.total > 0 ? json.data : undefined
  })
  assert.equal(logged.status_code, 499)
})

test('the key of a call has one group and one scope, ends with the call, and is unknown to other processes', async () => {
  const { withKey, resolvers } = models.access
  const key = await withKey(groupId, 'gateway', async (given) => {
    const { groups, key: identity } = await resolvers.apiKey(given.reveal(), '127.0.0.1')
    assert.deepEqual(
      groups.map(({ id }) => id),
      [groupId],
    )
    assert.deepEqual(identity?.scopes, new Set(['gateway']))
    assert.equal((await server.call('/v1/models', { key: given.reveal() })).status, 401)
    return given.reveal()
  })
  assert.throws(() => resolvers.apiKey(key, '127.0.0.1'), { status: 401 })
})
