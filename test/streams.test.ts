import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Agent, request } from 'undici'
import { exampleModels, keyOf, startGateway } from './harness/gateway.ts'
import { startProduct } from './harness/product.ts'
import { rounds } from '#test/rounds'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Collects garbage until it is stopped, which returns how often it has. */
function keepCollecting(): () => number {
  let [count, next] = [0, 0]
  const timer = setInterval(() => {
    const started = performance.now()
    if (started < next) return
    collectGarbage()
    count++
    // With many streams one takes so long that a fixed pause would leave hardly any time for them.
    next = performance.now() + Math.max(250, 2 * (performance.now() - started))
  }, 50)
  return () => {
    clearInterval(timer)
    return count
  }
}

const messages = [{ role: 'user', content: 'Hello' }]

for (const [provider, model, count] of [
  ['openai', 'gpt-4.1', rounds(300, 1_000)],
  ['anthropic', exampleModels.anthropic, rounds(60, 200)],
] as const) {
  test(`${provider}: ${count} concurrent streams with forced garbage collection lose no byte`, async () => {
    const server = await startGateway({ LOG_LEVEL: 'warn' })
    server.fake.always({ provider }, { repeat: { text: 'früh ', times: 20 }, chunkEveryMs: 10 } as never)
    const dispatcher = new Agent({ connections: count, pipelining: 1, connect: { timeout: 60_000 } })
    const stopCollecting = keepCollecting()
    const ask = async (): Promise<string> => {
      const { body } = await request(`${server.url}/v1/chat/completions`, {
        method: 'POST',
        dispatcher,
        headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages, stream: true }),
      })
      return body.text()
    }
    const responses = await Promise.all(Array.from({ length: count }, ask))
    const collections = stopCollecting()
    assert.ok(collections > 0)
    await dispatcher.close()
    const expected = 'früh '.repeat(20)
    for (const response of responses) {
      assert.ok(response.endsWith('data: [DONE]\n\n'), response.slice(-300))
      assert.equal(textOf(response), expected)
    }
  })
}

test('a client that does not read pauses the provider and grows no memory', async () => {
  const provider = spawn(process.execPath, ['-e', endlessProvider])
  after(() => provider.kill('SIGKILL'))
  const [line] = (await once(provider.stdout, 'data')) as [Buffer]
  const server = await startProduct({ OPENAI_BASE_URL: line.toString().trim(), LOG_LEVEL: 'warn' })
  await server.call('/providers/openai', {
    key: server.key,
    json: { api_key: keyOf('openai'), name: 'key' },
    headers: { accept: 'application/json' },
  })
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  after(() => socket.destroy())
  const body = JSON.stringify({ model: 'gpt-4.1', messages, stream: true })
  const head = [
    'POST /v1/chat/completions HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${server.key}`,
    'Content-Type: application/json',
  ]
  socket.pause()
  socket.write(`${head.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  // The first second fills every buffer on the way; after that nothing more may be taken in.
  await sleep(1_000)
  const before = await heldAtRest()
  await sleep(3_000)
  collectGarbage()
  const grown = (held() - before) / 1e6
  assert.ok(grown < 10, `${grown.toFixed(1)} MB were held`)
  socket.destroy()
})

/** A provider in a process of its own that never stops talking, as fast as it is heard. */
const endlessProvider = `
  const http = require('node:http')
  const chunk = 'data: ' + JSON.stringify({ choices: [{ index: 0, delta: { content: 'x'.repeat(10000) } }] }) + '\\n\\n'
  const server = http.createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const talk = () => { while (response.write(chunk)); response.once('drain', talk) }
    talk()
    response.on('close', () => process.exit(0))
  })
  server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port))
`

/** Once it no longer grows, which on a busy machine takes longer; after a few seconds whether it grows or not. */
async function heldAtRest(): Promise<number> {
  for (let [round, before] = [0, 0]; ; round++) {
    collectGarbage()
    const now = held()
    if (now - before < 1e6 || round === 10) return now
    before = now
    await sleep(500)
  }
}

function held(): number {
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  return heapUsed + external + arrayBuffers
}

function textOf(stream: string): string {
  return stream
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map(
      (event) =>
        (JSON.parse(event.slice(6)) as { choices: { delta?: { content?: string } }[] }).choices[0]?.delta
          ?.content ?? '',
    )
    .join('')
}
