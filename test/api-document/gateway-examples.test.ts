import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiDocument } from '#kernel/http'
import { startGateway } from '#test/gateway'
import { pointerTo, validatorOf } from './validator.ts'

const gateway = await startGateway()
const document = (await gateway.call('/openapi.json')).json as ApiDocument
const validate = validatorOf(document)

const jsonPaths = [
  '/v1/chat/completions',
  '/v1/responses',
  '/v1/messages',
  '/v1/messages/count_tokens',
  '/v1/embeddings',
]

function examplesOf(path: string): [name: string, value: unknown][] {
  const media = document.paths[path]?.['post']?.requestBody?.content['application/json']
  const many = Object.entries(media?.examples ?? {}).map(([name, { value }]) => [name, value] as const)
  return [...(media?.example === undefined ? [] : [['only', media.example] as const]), ...many].map(
    ([name, value]) => [name, value],
  )
}

const schemaOf = (path: string, type: string): string =>
  pointerTo('paths', path, 'post', 'responses', '200', 'content', type, 'schema')

for (const path of jsonPaths) {
  test(`the examples of ${path} run, and what comes back is documented`, async () => {
    const examples = examplesOf(path)
    assert.ok(examples.length > 0)
    for (const [name, value] of examples) {
      const { status, text, headers } = await gateway.call(path, { json: value, key: gateway.key })
      assert.equal(status, 200, `${name}: ${text}`)
      const type = (headers.get('content-type') ?? '').split(';')[0] ?? ''
      const bodies = type === 'text/event-stream' ? eventsIn(text) : [JSON.parse(text)]
      assert.ok(bodies.length > 0)
      for (const body of bodies) assert.equal(validate(schemaOf(path, type), body), undefined, name)
    }
  })
}

test('the example of transcription runs, whole and streamed', async () => {
  const path = '/v1/audio/transcriptions'
  const media = document.paths[path]?.['post']?.requestBody?.content['multipart/form-data']
  assert.ok(media)
  const { model, file } = media.example as { model: string; file: string }
  for (const stream of ['false', 'true']) {
    const form = new FormData()
    form.set('model', model)
    form.set('stream', stream)
    form.set('file', new Blob([new Uint8Array(3_200)]), file)
    const response = await fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}` },
      body: form,
    })
    const text = await response.text()
    assert.equal(response.status, 200, text)
    const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? ''
    const bodies = type === 'text/event-stream' ? eventsIn(text) : [JSON.parse(text)]
    assert.equal(type === 'text/event-stream', stream === 'true')
    for (const body of bodies) assert.equal(validate(schemaOf(path, type), body), undefined)
  }
})

test('an error of /v1/messages has the documented format, which is not that of the others', async () => {
  const body = { model: 'claude-sonnet-5-5', max_tokens: 10, messages: [] }
  const { status, json } = await gateway.call('/v1/messages', { json: body, key: gateway.key })
  assert.equal(status, 400)
  const at = pointerTo('paths', '/v1/messages', 'post', 'responses', '400', 'content', 'application/json')
  assert.equal(validate(`${at}/schema`, json), undefined)
  assert.equal(json.type, 'error')
  const other = await gateway.call('/v1/chat/completions', { json: body, key: gateway.key })
  assert.ok(validate(`${at}/schema`, other.json))
})

function eventsIn(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]')
    .map((line) => JSON.parse(line.slice('data: '.length)) as unknown)
}
