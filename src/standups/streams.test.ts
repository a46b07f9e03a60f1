import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { clientConfig } from '#kernel/db'
import { exampleModels, startGateway } from '#test/gateway'
import { startProduct } from '#test/product'
import { waitFor } from '#test/wait'
import type { StandupEvent } from './contract.ts'
import { listen, newInitiative, turnOver } from './testing-standup.ts'

const environment = {
  STANDUP_MODEL: exampleModels.openai,
  MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  RUNTIME: 'builtin',
}
const server = await startGateway(environment)
const { fake, call } = server
const other = await startProduct({ ...environment, ...fake.baseUrls }, server.target)

/** Long enough to be cut in the middle. */
const slow = { text: Array.from({ length: 40 }, (_, index) => `word${index}`).join(' '), chunkEveryMs: 50 }

const isSlow = ({ content }: { content: string }): boolean => content.includes('word')

/** What stays when a message has come whole. */
const kept = (events: readonly StandupEvent[]) => events.filter(({ type }) => type !== 'delta')

async function opened() {
  const initiative = await newInitiative(server)
  fake.script('openai', { text: 'Hello.' })
  const listener = await listen(server, initiative.standup)
  await turnOver(listener, 1)
  return { initiative, listener }
}

test('readers of two processes see the same events in the same order, also those that come later', async () => {
  const { initiative, listener } = await opened()
  const inOther = await listen(other, `${initiative.standup}/events`, { method: 'GET' })
  fake.script('openai', slow)
  await initiative.say('Tell me more.')
  const late = await (async () => {
    await listener.next('delta', isSlow)
    return listen(other, initiative.standup)
  })()
  for (const each of [listener, inOther, late]) await turnOver(each, 2)
  assert.deepEqual(kept(inOther.events), kept(listener.events))
  assert.deepEqual(kept(late.events), kept(listener.events))
  const ids = listener.events.map(({ id }) => id)
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => a - b),
  )
  // The pieces are the message.
  const last = listener.events.findLast((event) => event.type === 'message')
  const pieces = listener.events.flatMap((event) =>
    event.type === 'delta' && event.message_id === last?.message_id ? [event.content] : [],
  )
  assert.ok(pieces.length > 1)
  assert.equal(pieces.join(''), last?.content)
})

test('a client that lost its connection resumes behind its last event, while the agent went on without it', async () => {
  const { initiative, listener } = await opened()
  fake.script('openai', slow)
  await initiative.say('Tell me more.')
  await listener.next('delta', isSlow)
  listener.close()
  await listener.ended
  const last = listener.events.at(-1)?.id ?? 0
  const watcher = await listen(server, initiative.standup)
  await turnOver(watcher, 2)
  const resumed = await listen(other, initiative.standup, { lastEventId: last })
  await waitFor('the rest', () => resumed.events.some(({ type }) => type === 'turn'))
  const seen = kept(watcher.events).map(({ id }) => id)
  assert.deepEqual(
    [...kept(listener.events), ...resumed.events].map(({ id }) => id),
    seen,
  )
  const nothing = await listen(server, `${initiative.standup}/events`, {
    method: 'GET',
    lastEventId: seen.at(-1) ?? 0,
  })
  await initiative.end(false)
  await nothing.next('ended')
  assert.deepEqual(
    nothing.events.map(({ type }) => type),
    ['ended'],
  )
})

test('a person stops the agent from any process; what it said stays, and the next message continues', async () => {
  const { initiative, listener } = await opened()
  fake.script('openai', slow)
  await initiative.say('Tell me more.')
  await listener.next('delta', isSlow)
  const upstream = fake.requests.at(-1)
  const { status, json } = await other.call(`${initiative.standup}/interrupt`, { method: 'POST' })
  assert.deepEqual([status, json], [202, { interrupted: true }])
  await turnOver(listener, 2)
  await upstream?.waitForAbort()
  const { code, message } = await listener.next('error')
  assert.deepEqual([code, message], ['interrupted', 'The agent was stopped.'])
  const partial = listener.events.findLast((event) => event.type === 'message')
  assert.ok(partial?.interrupted && slow.text.startsWith(partial.content))
  fake.script('openai', { text: 'Yes.' })
  await initiative.say('Shorter.')
  await turnOver(listener, 3)
  assert.equal(listener.said().at(-1), 'assistant: Yes.')
  const again = await call(`${initiative.standup}/interrupt`, { method: 'POST' })
  assert.deepEqual(again.json, { interrupted: false })
})

test('a process that lost the stand-up to another writes nothing more to it', async () => {
  const { initiative, listener } = await opened()
  fake.script('openai', { ...slow, chunkEveryMs: 200 })
  await initiative.say('Tell me more.')
  await listener.next('delta', isSlow)
  const upstream = fake.requests.at(-1)
  // As if it had been silent for too long.
  const database = new pg.Client(clientConfig(server.target))
  await database.connect()
  await database.query(
    "update standups.sessions set work_id = gen_random_uuid(), work_until = now() - interval '1 second' where initiative_id = $1",
    [initiative.id],
  )
  await database.end()
  const { id: lostAt } = await listener.next('error')
  await upstream?.waitForAbort()
  fake.script('openai', { text: 'Yes.' })
  await initiative.say('Go on.')
  await turnOver(listener, 3)
  const partial = listener.events.find((event) => event.type === 'message' && event.interrupted)
  assert.ok(partial?.type === 'message' && slow.text.startsWith(partial.content))
  assert.deepEqual(
    listener.events.filter(({ id, type }) => id > lostAt && type !== 'delta').map(({ type }) => type),
    ['turn', 'message', 'turn', 'message', 'turn'],
  )
  assert.ok(!listener.events.some((event) => event.id > lostAt && event.type === 'delta' && isSlow(event)))
})

test('messages that come while the agent speaks are heard in its next turn', async () => {
  const { initiative, listener } = await opened()
  fake.script('openai', { ...slow, chunkEveryMs: 10 })
  await initiative.say('First.')
  await listener.next('delta', isSlow)
  fake.script('openai', { text: 'I heard both.' })
  await initiative.say('Second.')
  await other.call(`${initiative.standup}/message`, { json: { content: 'Third.' } })
  await turnOver(listener, 3)
  assert.equal(listener.said().at(-1), 'assistant: I heard both.')
  assert.match(JSON.stringify(fake.requests.at(-1)?.json), /Second\.\\n\\nThird\./)
})

test('ending stops the agent, ends the stream of the start, and later events reach those who follow', async () => {
  const { initiative, listener } = await opened()
  const follower = await listen(other, `${initiative.standup}/events`, { method: 'GET' })
  fake.script('openai', slow)
  await initiative.say('Tell me more.')
  await listener.next('delta', isSlow)
  fake.script('openai', { text: 'Little was said.' })
  const { json } = await other.call(`${initiative.standup}/end`, { json: { generate_artifacts: true } })
  await listener.ended
  assert.equal(listener.events.at(-1)?.type, 'ended')
  assert.equal(listener.events.findLast((event) => event.type === 'message')?.interrupted, true)
  await call(`${initiative.standup}/artifacts/${json.artifacts[0].id}/approve`, { method: 'POST' })
  const { artifact } = await follower.next('artifact', (event) => event.artifact.status === 'approved')
  assert.equal(artifact.id, json.artifacts[0].id)
  // The next one begins with its own events, whatever the client had seen.
  fake.script('openai', { text: 'Hello again.' })
  const next = await listen(server, initiative.standup, { lastEventId: follower.events.at(-1)?.id ?? 0 })
  const { brief } = await next.next('brief')
  assert.notEqual(brief.since, null)
})

test('deleting the initiative stops the agent and ends every stream with an event that says so', async () => {
  const { initiative, listener } = await opened()
  const follower = await listen(other, `${initiative.standup}/events`, { method: 'GET' })
  fake.script('openai', { ...slow, chunkEveryMs: 200 })
  await initiative.say('Tell me more.')
  for (const each of [listener, follower]) await each.next('delta', isSlow)
  const upstream = fake.requests.at(-1)
  assert.equal((await call(initiative.path, { method: 'DELETE' })).status, 204)
  for (const { ended, events } of [listener, follower]) {
    await ended
    const [before, last] = events.slice(-2)
    assert.ok(last?.type === 'ended' && before && last.id > before.id)
    assert.deepEqual([last.reason, last.ended_by, last.artifacts], ['deleted', null, 0])
  }
  await upstream?.waitForAbort()
  const resumed = await listen(server, `${initiative.standup}/events`, {
    method: 'GET',
    lastEventId: listener.events.at(-1)?.id ?? 0,
  })
  assert.equal(resumed.status, 404)
})

test('a person who may no longer read the group loses the stream', async () => {
  const { initiative } = await opened()
  const { json } = await call('/api/v1/keys', { json: { name: 'reader', scopes: ['read'] } })
  const key = String(json.key ?? json.data?.key)
  const response = await fetch(`${server.url}${initiative.standup}/events`, {
    headers: { authorization: `Bearer ${key}` },
    // The text of a stream that stays open does not come.
    signal: AbortSignal.timeout(90_000),
  })
  assert.equal(response.status, 200)
  const revoked = await call(`/api/v1/keys/${json.id ?? json.data?.id}`, { method: 'DELETE' })
  assert.equal(revoked.status, 204, revoked.text)
  assert.match(await response.text(), /"type":"brief"/)
})
