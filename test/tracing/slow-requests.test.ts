import assert from 'node:assert/strict'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'node:test'
import { createLog } from '#kernel/log'
import { createSlowLog } from '#kernel/http'
import { PassThrough } from 'node:stream'
import { gpt, startRouted } from '../routing/routed.ts'
import { waitFor } from '#test/wait'

const server = await startRouted({ SLOW_REQUEST_MS: '60' })
await server.route({ name: 'again', targets: [gpt] })

const slowLines = (id: string): Record<string, unknown>[] =>
  server
    .logged()
    .split('\n')
    .filter((line) => line.includes('"slow request"') && line.includes(id))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
const settled = (id: string) =>
  waitFor('the row', async () => (await server.call(`/api/v1/logs/${id}`)).status === 200)

test('a request that the server itself took long for is logged with where the time went', async () => {
  // The second call to the same provider waits for some hundred milliseconds.
  server.fake.script('openai', { error: { status: 500 } })
  const response = await server.ask('again', { user: 'planted user' }, { 'x-planted': 'planted header' })
  assert.equal(response.status, 200)
  const id = response.headers.get('x-request-id') ?? ''
  await settled(id)
  const [line, ...more] = slowLines(id)
  assert.deepEqual(more, [])
  assert.deepEqual(
    [line?.['level'], line?.['route'], line?.['status']],
    ['warn', '/v1/chat/completions', 200],
  )
  assert.ok(Number(line?.['pausesMs']) > 60 && Number(line?.['ownMs']) >= Number(line?.['pausesMs']))
  for (const name of ['keyMs', 'bodyMs', 'journalMs', 'upstreamMs'])
    assert.equal(typeof line?.[name], 'number', name)
  assert.doesNotMatch(JSON.stringify(line), /planted|Hello/)
})

test('a slow provider or a slow client makes no request slow', async () => {
  server.fake.script('openai', { headersAfterMs: 300, text: 'late' })
  const waited = await server.ask(gpt)
  const id = waited.headers.get('x-request-id') ?? ''
  await settled(id)

  const body = JSON.stringify({ model: gpt, messages: [{ role: 'user', content: 'Hello' }] })
  const slowId = await new Promise<string>((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' }
    const url = `${server.url}/v1/chat/completions`
    const length = { 'content-length': String(body.length) }
    const call = request(url, { method: 'POST', headers: { ...headers, ...length } }, (response) => {
      response.resume().on('end', () => resolve(String(response.headers['x-request-id'])))
    })
    call.once('error', reject)
    call.write(body.slice(0, 20))
    void sleep(300).then(() => call.end(body.slice(20)))
  })
  await settled(slowId)
  // A busy machine may be slow itself, but not for the others.
  for (const [line, part] of [
    ...slowLines(id).map((each) => [each, 'upstreamMs'] as const),
    ...slowLines(slowId).map((each) => [each, 'bodyMs'] as const),
  ]) {
    assert.ok(Number(line[part]) >= 290, JSON.stringify(line))
    assert.ok(Number(line['ownMs']) <= Number(line['ms']) - Number(line[part]) + 1, JSON.stringify(line))
  }
})

test('at most 20 lines come in ten seconds, and the next one says how many were left out', async () => {
  const destination = new PassThrough()
  const log = await createLog({ level: 'info', form: 'json', destination })
  const slow = createSlowLog(log, 100)
  const times = { key: 1, body: 50, upstream: 100 }
  const facts = { requestId: 'req_1', route: '/v1/chat/completions', status: 200, times }
  assert.deepEqual([slow?.isSlow(250, 150), slow?.isSlow(251, 150)], [false, true])
  for (let n = 0; n < 30; n++) slow?.write({ ...facts, ms: 300 + n })
  const text = String(destination.read())
  const lines = text.trim().split('\n')
  assert.equal(lines.length, 20)
  assert.match(lines[0] ?? '', /"ms":300,"ownMs":150,"keyMs":1,"bodyMs":50,"upstreamMs":100/)
  assert.equal(createSlowLog(log, 0), undefined)
})
