import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { exampleModels, startGateway } from '#test/gateway'

const server = await startGateway()
const body = JSON.stringify({ model: exampleModels.openai, messages: [{ role: 'user', content: 'hi' }] })

/** Sends the headers as they are, also those that a client library would refuse; returns the keys in the log. */
async function keysLoggedFor(
  headers: Record<string, string | string[]>,
): Promise<[session: string | null, subagent: string | null]> {
  server.fake.always('openai', () => ({ text: 'hello' }))
  const response = await new Promise<{ status: number; id: string }>((resolve, reject) => {
    const sent = request(
      `${server.url}/v1/chat/completions`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json', ...headers },
      },
      (received) => {
        received.resume()
        received.once('end', () =>
          resolve({ status: received.statusCode ?? 0, id: String(received.headers['x-request-id']) }),
        )
      },
    )
    sent.once('error', reject)
    sent.end(body)
  })
  assert.equal(response.status, 200)
  const { json } = await server.call(`/api/v1/logs/${response.id}`, { key: server.key })
  return [json.session_key, json.subagent_key]
}

const uuid = '8c5a6a3e-3a57-4c0b-9d3c-1d0f5b0c7a11'
const other = '019a8f2c-77aa-7c31-b6a4-5e2f0d9c1b22'

const sent: [
  who: string,
  headers: Record<string, string>,
  session: string | null,
  subagent: string | null,
][] = [
  ['nobody in particular', {}, null, null],
  ['anyone with a session', { 'x-signalbox-session': 'nightly/42' }, 'nightly/42', null],
  ['anyone with a subagent', { 'x-signalbox-session': 'a', 'x-signalbox-subagent': 'b' }, 'a', 'b'],
  ['Claude Code', { 'x-claude-code-session-id': uuid }, uuid, null],
  [
    'a subagent of Claude Code',
    { 'x-claude-code-session-id': uuid, 'x-claude-code-agent-id': 'a1b2c3' },
    uuid,
    'a1b2c3',
  ],
  ['Codex', { 'session-id': uuid, 'thread-id': uuid }, uuid, null],
  ['a subagent of Codex', { 'session-id': uuid, 'thread-id': other }, uuid, other],
  [
    'Codex behind a proxy that drops its short headers',
    { 'x-codex-turn-metadata': JSON.stringify({ session_id: uuid, thread_id: other }) },
    uuid,
    other,
  ],
  ['opencode', { 'x-session-id': 'ses_1', 'x-session-affinity': 'ses_1' }, 'ses_1', null],
  ['a subagent of opencode', { 'x-session-id': 'ses_2', 'x-parent-session-id': 'ses_1' }, 'ses_1', 'ses_2'],
]

for (const [who, headers, session, subagent] of sent)
  test(`the log has the session of ${who}`, async () => {
    assert.deepEqual(await keysLoggedFor(headers), [session, subagent])
  })

const hostile: [what: string, headers: Record<string, string | string[]>][] = [
  ['201 characters', { 'x-signalbox-session': 'a'.repeat(201) }],
  ['an empty value', { 'x-signalbox-session': '' }],
  ['two values', { 'x-signalbox-session': ['a', 'b'] }],
  ['a tab', { 'x-signalbox-session': 'a\tb' }],
  ['bytes that are no ASCII', { 'x-signalbox-session': 'caf\u00e9' }],
  ['markup', { 'x-signalbox-session': '<script>' }],
  ['a formula', { 'x-signalbox-session': '=1+1' }],
  ['metadata that is no JSON', { 'x-codex-turn-metadata': '{"session_id":' }],
  ['metadata that is null', { 'x-codex-turn-metadata': 'null' }],
  ['metadata with a number', { 'x-codex-turn-metadata': '{"session_id":1}' }],
  ['metadata beyond 8 KiB', { 'x-codex-turn-metadata': `{"session_id":"a"${' '.repeat(8 * 1024)}}` }],
]

for (const [what, headers] of hostile)
  test(`a session header with ${what} is dropped, and the request is served`, async () => {
    assert.deepEqual(await keysLoggedFor(headers), [null, null])
  })

test('200 characters are kept, and a bad name of a subagent does not hide its session', async () => {
  const long = 'a'.repeat(200)
  assert.deepEqual(await keysLoggedFor({ 'x-signalbox-session': long, 'x-signalbox-subagent': 'a b' }), [
    long,
    null,
  ])
})

test('a request that is refused before it goes upstream belongs to its session too', async () => {
  const { status } = await server.call('/v1/chat/completions', {
    key: server.key,
    json: { model: 'no-such-model', messages: [] },
    headers: { 'x-claude-code-session-id': 'refused' },
  })
  assert.equal(status, 404)
  const { json } = await server.call(`/api/v1/logs?session=refused`, { key: server.key })
  assert.deepEqual(
    json.data.map((row: { model: string; status_code: number }) => [row.model, row.status_code]),
    [['no-such-model', 404]],
  )
})
