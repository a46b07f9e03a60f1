import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import { dumpTables } from '#kernel/db'
import { exampleModels, type ProviderId } from '#test/gateway'
import { startProduct } from '#test/product'
import { waitFor } from '#test/wait'

// No pattern knows this shape: only an exact search finds it.
const key = 'Zq7/kLm9+pR2vX0tB5nC8dF1gH3jW6yS4uK'
/** Any quarter of it would be a leak. */
const parts = [0, 9, 18, 26].map((start) => key.slice(start, start + 9))
const shapes: Record<string, string> = {
  plain: key,
  'URL-encoded': encodeURIComponent(key),
  base64: Buffer.from(`Bearer ${key}`).toString('base64'),
  'Unicode escapes': Array.from(key, (each) => `\\u00${each.charCodeAt(0).toString(16)}`).join(''),
  // The message is cut at 2,000 characters, in the middle of the key.
  'cut off': `${'x'.repeat(1_970)}${key}`,
}
const hiddenShapes = [...parts, ...parts.map((part) => Buffer.from(part).toString('base64').slice(0, 11))]

type Behaviour = (quoted: string, response: ServerResponse, request: IncomingMessage) => void

const errorJson = (quoted: string): string =>
  `{"error":{"message":"no: ${quoted}","type":"bad","code":"${quoted}","param":"${quoted}"},"message":"${quoted}"}`

/** What a provider can quote the key in. */
const behaviours: Record<string, Behaviour> = {
  'an error': (quoted, response) => response.writeHead(400).end(errorJson(quoted)),
  'an error with status 500': (quoted, response) => response.writeHead(500).end(errorJson(quoted)),
  'an error that is not JSON': (quoted, response) => response.writeHead(500).end(`<p>${quoted}</p>`),
  'a compressed error': (quoted, response) =>
    response.writeHead(400, { 'content-encoding': 'gzip' }).end(gzipSync(errorJson(quoted))),
  headers: (quoted, response) =>
    response
      .writeHead(429, {
        'x-ratelimit-limit-requests': quoted,
        'anthropic-ratelimit-key': quoted,
        'retry-after': quoted,
      })
      .end('{"error":{"message":"slow down"}}'),
  'an error with status 200': (quoted, response) => response.writeHead(200).end(errorJson(quoted)),
  'a success that is not JSON': (quoted, response) => response.writeHead(200).end(`${quoted} is your key`),
  'an error event in many pieces': (quoted, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const event = `event: error\ndata: ${errorJson(quoted).replace('{', '{"type":"error",')}\n\n`
    for (let at = 0; at < event.length; at += 5) response.write(event.slice(at, at + 5))
    response.end()
  },
  'a redirect': (quoted, response) => response.writeHead(302, { location: `/?key=${quoted}` }).end(),
}

let current: (response: ServerResponse, request: IncomingMessage) => void = (response) => response.end()
const upstream = createServer((request, response) => {
  request.resume().once('end', () => current(response, request))
})
await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
after(() => upstream.close())
const address = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
const names = ['ANTHROPIC', 'OPENAI', 'GEMINI', 'PERPLEXITY', 'OPENROUTER']
const product = await startProduct(Object.fromEntries(names.map((name) => [`${name}_BASE_URL`, address])))
for (const provider of Object.keys(exampleModels)) {
  const added = await product.call(`/providers/${provider}`, {
    key: product.key,
    json: { api_key: key },
    headers: { accept: 'application/json' },
  })
  assert.equal(added.status, 201, added.text)
}
const paths = ['/v1/chat/completions', '/v1/messages', '/v1/responses'] as const

function checkClean(text: string, where: string): void {
  const found = hiddenShapes.find((part) => text.includes(part))
  assert.equal(found, undefined, `${where}: ${text.slice(0, 1_000)}`)
}

async function ask(path: string, model: string, stream: boolean): Promise<string> {
  const messages = [{ role: 'user', content: 'Hello' }]
  const json = { model, max_tokens: 9, stream, ...(path === paths[2] ? { input: 'Hello' } : { messages }) }
  const { text, headers } = await product.call(path, { key: product.key, json })
  return text + inspect([...headers], { maxStringLength: null })
}

for (const [provider, model] of Object.entries(exampleModels) as [ProviderId, string][]) {
  for (const [name, behave] of Object.entries(behaviours)) {
    test(`${provider}: a key quoted in ${name} reaches no client, in any shape`, async () => {
      for (const [shape, quoted] of Object.entries(shapes)) {
        // A header cannot hold the escapes of JSON.
        if (name === 'headers' && shape === 'Unicode escapes') continue
        current = (response, request) => behave(quoted, response, request)
        for (const path of paths)
          for (const stream of [false, true])
            checkClean(await ask(path, model, stream), `${path} ${shape} ${stream ? 'streamed' : 'whole'}`)
      }
    })
  }
}

/** Secrets of others that a provider may quote: made of parts, so that no scanner takes this file for a leak. */
const foreign = [
  ['gl', 'pat-Qm4xV7tR2kP9wL3nB8cD'].join(''),
  'postgres://app:Qm4xV7tR2kP9w@db/shop',
  ['xo', 'xb-12345-Qm4xV7tR2kP9w'].join(''),
]

for (const [name, behave] of Object.entries(behaviours)) {
  test(`a secret of others quoted in ${name} reaches no client`, async () => {
    for (const quoted of foreign) {
      current = (response, request) => behave(quoted, response, request)
      for (const [provider, model] of Object.entries(exampleModels))
        for (const path of paths)
          for (const stream of [false, true]) {
            const text = await ask(path, model, stream)
            assert.ok(!text.includes('V7tR2kP9w'), `${provider} ${path} ${stream}: ${text}`)
          }
    }
  })
}

test('a successful response that holds the key is sent without it', async () => {
  const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: `Bearer ${key}` } }
  const head = { id: 'c', object: 'chat.completion', created: 1, model: 'gpt' }
  current = (response) => response.end(JSON.stringify({ ...head, choices: [choice] }))
  const whole = await ask('/v1/chat/completions', exampleModels.openai, false)
  checkClean(whole, 'whole')
  assert.match(whole, /"content":"Bearer \[key\]"/)
  const chunk = { choices: [{ index: 0, finish_reason: 'stop', delta: { content: `Bearer ${key}` } }] }
  current = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const event = `data: ${JSON.stringify(chunk)}\n\n`
    response.write(event.slice(0, event.indexOf(key) + 5))
    setImmediate(() => response.end(`${event.slice(event.indexOf(key) + 5)}data: [DONE]\n\n`))
  }
  const streamed = await ask('/v1/chat/completions', exampleModels.openai, true)
  checkClean(streamed, 'streamed')
  assert.match(streamed, /"content":"Bearer \[key\]"/)
})

test('a model list that quotes the key is refused without it, and its names are stored without it', async () => {
  current = (response) => response.writeHead(200).end(`${key} is not JSON`)
  const sync = () => product.call('/providers/openai/models/sync', { method: 'POST', key: product.key })
  const broken = await sync()
  assert.equal(broken.status, 502, broken.text)
  checkClean(broken.text, 'not JSON')
  current = (response) => response.writeHead(400).end(errorJson(key))
  const refused = await sync()
  assert.equal(refused.status, 400, refused.text)
  checkClean(refused.text, 'an error')
  current = (response) => response.end(JSON.stringify({ data: [{ id: `gpt-${key}` }] }))
  assert.equal((await sync()).status, 200)
  const listed = await product.call('/v1/models', { key: product.key })
  assert.match(listed.text, /gpt-\[key\]/)
  checkClean(listed.text, 'listed')
})

test('neither the log nor any table holds the key', async () => {
  const logged = await waitFor('the requests in the log', async () => {
    const { json } = await product.call('/api/v1/logs?limit=1', { key: product.key })
    return json.total >= 1 && json
  })
  assert.ok(logged)
  checkClean(product.logged(), 'log')
  const csv = await product.call('/api/v1/logs/export?format=csv', { key: product.key })
  assert.match(csv.text, /no: \[key\]/)
  checkClean(csv.text, 'export')
  await product.stop()
  let tables = ''
  for await (const chunk of dumpTables(product.target)) tables += chunk.toString()
  assert.match(tables, /no: \[key\]/)
  checkClean(tables, 'tables')
})
