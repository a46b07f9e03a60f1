import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { exampleModels } from '#test/gateway'
import { startProduct } from '#test/product'
import { waitFor } from '#test/wait'

/** A laboratory of upstreams that send what no honest server would, byte by byte. */
interface BadUpstream {
  /** Sends until it has nothing to say or the other side hangs up. */
  send(socket: Socket): void | Promise<void>
  /** What the gateway may have taken from it, in MiB, before it hangs up. */
  maxMiB: number
  /** For the ends that only a timeout brings about. */
  status?: number
}

const mebibyte = 1024 * 1024
const stream = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n'
const json = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n'
let sent = 0

function drainOrClose(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      socket.off('drain', go).off('close', go)
      resolve()
    }
    socket.on('drain', go).on('close', go)
  })
}

/** Writes as long as the other side reads. */
async function pour(socket: Socket, piece: Buffer, limit: number): Promise<void> {
  for (let bytes = 0; bytes < limit && !socket.destroyed; bytes += piece.length) {
    sent += piece.length
    if (!socket.write(piece)) await drainOrClose(socket)
  }
  socket.end()
}

const garbage = Buffer.from(Array.from({ length: 4_096 }, (_, at) => (at * 7_919 + 13) % 256))
// Twenty members, one behind the other: 200 MiB in 200 KB.
const bomb = Buffer.concat(Array.from({ length: 20 }, () => gzipSync(Buffer.alloc(10 * mebibyte))))

const lab: Record<string, BadUpstream> = {
  'a line without an end': {
    maxMiB: 72,
    send: (socket) => {
      socket.write(`${stream}data: `)
      return pour(socket, Buffer.alloc(65_536, 'a'), 400 * mebibyte)
    },
  },
  'lines without a blank line': {
    maxMiB: 72,
    send: (socket) => {
      socket.write(stream)
      return pour(socket, Buffer.from(`data: ${'a'.repeat(2_000)}\n`), 400 * mebibyte)
    },
  },
  'a body without an end': {
    maxMiB: 72,
    send: (socket) => {
      socket.write(`${json}\r\n{"choices":"`)
      return pour(socket, Buffer.alloc(65_536, 'a'), 400 * mebibyte)
    },
  },
  'an error without an end': {
    maxMiB: 8,
    send: (socket) => {
      socket.write('HTTP/1.1 500 Oh\r\ncontent-type: application/json\r\n\r\n{"error":{"message":"')
      return pour(socket, Buffer.alloc(65_536, 'a'), 400 * mebibyte)
    },
  },
  'garbage in place of HTTP': { maxMiB: 1, send: (socket) => void socket.end(garbage) },
  'garbage in a stream': {
    maxMiB: 1,
    send: (socket) => void socket.end(Buffer.concat([Buffer.from(stream), garbage])),
  },
  'garbage in a body': {
    maxMiB: 1,
    send: (socket) => void socket.end(Buffer.concat([Buffer.from(`${json}\r\n`), garbage])),
  },
  'JSON nested 100,000 levels deep': {
    maxMiB: 1,
    send: (socket) => void socket.end(`${json}\r\n${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  },
  'a gzip bomb': {
    maxMiB: 2,
    send(socket) {
      socket.write(`${json}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
      socket.end(bomb)
    },
  },
  'a gzip bomb as a stream': {
    maxMiB: 2,
    send(socket) {
      socket.write(stream.replace('\r\n\r\n', '\r\ncontent-encoding: gzip\r\n\r\n'))
      socket.end(bomb)
    },
  },
  'less than its content-length': {
    maxMiB: 1,
    send: (socket) => void socket.end(`${json}content-length: 1000\r\n\r\n{"choices":[]}`),
  },
  'more than its content-length': {
    maxMiB: 1,
    send: (socket) =>
      void socket.end(`${json}content-length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\n\r\n{"choices":[]}`),
  },
  'two content-lengths': {
    maxMiB: 1,
    send: (socket) => void socket.end(`${json}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`),
  },
  'a flood of headers': {
    maxMiB: 8,
    send: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      return pour(socket, Buffer.from(`x-ratelimit-flood: ${'a'.repeat(1_000)}\r\n`), 400 * mebibyte)
    },
  },
  'a reset before the headers': { maxMiB: 1, send: (socket) => void socket.resetAndDestroy() },
  'a reset in a stream': {
    maxMiB: 1,
    send(socket) {
      socket.write(`${stream}data: {"choices":[{"index":0,`, () => socket.resetAndDestroy())
    },
  },
  'a reset in a body': {
    maxMiB: 1,
    send(socket) {
      socket.write(`${json}content-length: 500\r\n\r\n{"choices":[`, () => socket.resetAndDestroy())
    },
  },
  'silence before the headers': { maxMiB: 1, status: 504, send: () => undefined },
  'a drip of headers': {
    maxMiB: 1,
    status: 504,
    send(socket) {
      const drip = setInterval(() => void socket.write('x-a: b\r\n'), 50)
      socket.write('HTTP/1.1 200 OK\r\n')
      socket.once('close', () => clearInterval(drip))
    },
  },
}

let current: BadUpstream | undefined
const sockets = new Set<Socket>()
const upstream = createServer((socket) => {
  sockets.add(socket)
  socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
  // One request per connection; what is bad comes after the first bytes of it.
  socket.once('data', () => void current?.send(socket))
})
await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
after(() => upstream.close())
const address = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
const names = ['ANTHROPIC', 'OPENAI', 'GEMINI', 'PERPLEXITY', 'OPENROUTER']
const product = await startProduct({
  ...Object.fromEntries(names.map((name) => [`${name}_BASE_URL`, address])),
  REQUEST_TIMEOUT_MS: '500',
  UPSTREAM_PRIVATE: '1',
})
const headers = { accept: 'application/json' }
await product.call('/providers', {
  headers,
  json: { id: 'house', name: 'House', prefixes: ['house/'], base_url: address, allow_private: true },
})
const models = { ...exampleModels, house: 'house/model' }
for (const provider of Object.keys(models)) {
  const added = await product.call(`/providers/${provider}`, {
    headers,
    json: { api_key: 'a-key-of-the-lab' },
  })
  assert.equal(added.status, 201, added.text)
}

/** Sampled, because the peak of a process that ran other files before is theirs. */
const memoryBefore = process.memoryUsage.rss()
let largest = memoryBefore
const sampling = setInterval(() => (largest = Math.max(largest, process.memoryUsage.rss())), 5)
after(() => clearInterval(sampling))

interface Ended {
  status: number
  text: string
}

async function ask(model: string, isStream: boolean): Promise<Ended> {
  const messages = [{ role: 'user', content: 'Hello' }]
  return product.call('/v1/chat/completions', {
    key: product.key,
    json: { model, messages, stream: isStream, max_tokens: 9 },
  })
}

/** The client gets an error object, or the error event of a stream; never a success, and never a 500. */
function checkEnd({ status, text }: Ended, expected: number | undefined, what: string): void {
  const said = `${what}: ${status} ${text.slice(0, 300)}`
  assert.match(text, /"code":"provider_(error|timeout)"/, said)
  assert.doesNotMatch(text, /\[DONE\]/, said)
  if (status !== 200) assert.ok(status >= 502 && status <= 504, said)
  if (expected !== undefined) assert.equal(status, expected, said)
}

const calls = Object.entries(models).flatMap(([provider, model]) =>
  [false, true].map((isStream) => ({
    what: `${provider} ${isStream ? 'streamed' : 'whole'}`,
    model,
    isStream,
  })),
)

for (const [name, bad] of Object.entries(lab)) {
  test(`${name}: every provider's client gets an error, and little is read`, async () => {
    current = bad
    const run = async ({ what, model, isStream }: (typeof calls)[number]): Promise<void> => {
      sent = 0
      checkEnd(await ask(model, isStream), bad.status, what)
      await waitFor('the connection to be closed', () => sockets.size === 0)
      // Some of what was sent was never read: it was on its way when the gateway hung up.
      assert.ok(sent <= (bad.maxMiB + 8) * mebibyte, `${what}: ${sent} bytes`)
    }
    // Those that only wait can wait together.
    if (bad.status === 504) await Promise.all(calls.map(run))
    else for (const call of calls) await run(call)
  })
}

test('after all of them every request is in the log, and the process never grew large', async () => {
  await waitFor('the requests in the log', async () => {
    const { total } = (await product.call('/api/v1/logs?limit=1', { key: product.key })).json
    return total === Object.keys(lab).length * calls.length
  })
  const grown = (largest - memoryBefore) / mebibyte
  assert.ok(grown < 700, `${Math.round(grown)} MiB more`)
})
