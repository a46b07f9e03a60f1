import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { startGateway } from '#test/gateway'
import { disconnectEarly } from '#test/gone-client'
import { waitFor } from '#test/wait'

const budget = 1_048_576
const server = await startGateway({
  BODY_BUDGET_BYTES: String(budget),
  MAX_BODY_BYTES: String(budget),
})
const { url, key, call, fake } = server

const chat = (content: string) => ({ model: 'gpt-6-sol', messages: [{ role: 'user', content }] })
const send = (bytes: number) => call('/v1/chat/completions', { key, json: chat('x'.repeat(bytes)) })

/** A request of this size that waits for its provider until it is released. */
async function heldRequest(bytes: number) {
  const gate = Promise.withResolvers<void>()
  const before = fake.requests.length
  fake.script('openai', async () => {
    await gate.promise
    return { text: 'done' }
  })
  const response = send(bytes)
  await waitFor('the provider to be called', () => fake.requests.length > before)
  return { release: gate.resolve, response }
}

test('large bodies above the budget are refused with a time to retry, small ones are not', async () => {
  const held = await heldRequest(700_000)
  const refused = await send(700_000)
  assert.equal(refused.status, 503)
  assert.equal(refused.json.error.code, 'unavailable')
  assert.equal(refused.headers.get('retry-after'), '2')
  assert.equal((await send(100_000)).status, 200)
  assert.equal((await send(200_000)).status, 200)
  held.release()
  assert.equal((await held.response).status, 200)
  await waitFor('the memory to be given back', async () => (await send(900_000)).status === 200)
})

test('the budget holds for every route that takes a body', async () => {
  const held = await heldRequest(900_000)
  const json = { name: 'x'.repeat(200_000) }
  assert.equal((await call('/api/v1/keys', { json })).status, 503)
  assert.equal((await call('/api/v1/embed', { key, json: { text: 'x'.repeat(200_000) } })).status, 503)
  assert.equal(
    (await call('/v1/responses', { key, json: { model: 'gpt-6-sol', input: 'x'.repeat(200_000) } })).status,
    503,
  )
  assert.equal(await sendInPieces(200_000), 503)
  assert.equal(await sendInPieces(100_000), 200)
  held.release()
  await held.response
  await waitFor('the memory to be given back', async () => (await sendInPieces(300_000)) === 200)
})

test('a client that disconnects gives its memory back', async () => {
  for (let round = 0; round < 3; round += 1) {
    const before = fake.requests.length
    fake.script('openai', { hang: 'before-headers' })
    const sent = request(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
    sent.on('error', () => undefined)
    sent.end(JSON.stringify(chat('x'.repeat(700_000))))
    await waitFor('the provider to be called', () => fake.requests.length > before)
    sent.destroy()
    await waitFor('the memory to be given back', async () => (await send(400_000)).status === 200)
  }
})

test('a client that disconnects before its body is read leaves no memory taken', async () => {
  const body = { 'content-type': 'application/json', 'content-length': '700000' }
  for (let round = 0; round < 2; round += 1) await disconnectEarly(server, 'POST /v1/chat/completions', body)
  await waitFor('the memory to be given back', async () => (await send(900_000)).status === 200, 10_000)
})

/** Without Content-Length, so that the size is known only at the end. */
function sendInPieces(bytes: number): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const sent = request(
    `${url}/v1/chat/completions`,
    { method: 'POST', headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } },
    (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    },
  ).on('error', reject)
  const body = JSON.stringify(chat('x'.repeat(bytes)))
  for (let at = 0; at < body.length; at += 50_000) sent.write(body.slice(at, at + 50_000))
  sent.end()
  return promise
}
