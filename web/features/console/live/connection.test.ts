import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LiveHub } from './hub.ts'
import type { LiveMessage } from './messages.ts'

/** A server whose stream the test writes to. */
class FakeServer {
  readonly requests: { headers: Headers; signal: AbortSignal }[] = []
  status = 200
  readonly #waiting: (() => void)[] = []
  #writer: ReadableStreamDefaultController<Uint8Array> | undefined

  readonly fetch = ((_address: string, { headers, signal }: RequestInit) => {
    this.requests.push({ headers: new Headers(headers), signal: signal as AbortSignal })
    for (const resume of this.#waiting.splice(0)) resume()
    const body = new ReadableStream<Uint8Array>({
      start: (writer) => {
        this.#writer = writer
        signal?.addEventListener('abort', () => writer.error(signal.reason))
      },
    })
    return Promise.resolve(new Response(this.status === 200 ? body : null, { status: this.status }))
  }) as typeof fetch

  write(text: string): void {
    this.#writer?.enqueue(new TextEncoder().encode(text))
  }

  end(): void {
    this.#writer?.close()
  }

  fail(): void {
    this.#writer?.error(new Error('connection lost'))
  }

  async request(count: number): Promise<void> {
    while (this.requests.length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    await turn()
  }
}

const aborted = (signal: AbortSignal | undefined) =>
  new Promise((resolve) => signal?.addEventListener('abort', resolve))
const turn = () => new Promise((resolve) => setImmediate(resolve))
const event = (id: number) => `id: ${id}\nevent: sync\ndata: {"id":"e${id}"}\n\n`

function listen(hub: LiveHub, groupId = 'group') {
  const heard: string[] = []
  const leave = hub.join(groupId, (message: LiveMessage) => {
    if (message.kind === 'events') heard.push(...message.events.map(({ id }) => id))
    else heard.push(message.kind === 'gap' ? `gap ${message.gap.count}` : message.state)
  })
  return { heard, leave }
}

const hubOf = (server: FakeServer) =>
  new LiveHub({ fetch: server.fetch, wait: () => Promise.resolve(), linger: 0 })

test('a broken stream resumes after the last event', async () => {
  const server = new FakeServer()
  const { heard, leave } = listen(hubOf(server))
  await server.request(1)
  server.write(event(7) + event(8))
  await turn()
  server.fail()
  await server.request(2)
  assert.equal(server.requests[0]?.headers.get('last-event-id'), null)
  assert.equal(server.requests[1]?.headers.get('last-event-id'), '8')
  assert.equal(server.requests[1]?.headers.get('x-group-id'), 'group')
  server.write(event(9))
  await turn()
  assert.deepEqual(
    heard.filter((each) => each.startsWith('e')),
    ['e7', 'e8', 'e9'],
  )
  assert.ok(heard.includes('lost'))
  leave()
})

test('a stream that ends without an event resumes at the position that the server gave it', async () => {
  const server = new FakeServer()
  const { heard, leave } = listen(hubOf(server))
  await server.request(1)
  server.write(': connected\nid: 41\n\n')
  await turn()
  server.end()
  await server.request(2)
  assert.equal(server.requests[1]?.headers.get('last-event-id'), '41')
  assert.ok(!heard.includes('lost'), 'a planned end is not reported')
  leave()
})

test('a gap is reported in its place', async () => {
  const server = new FakeServer()
  const { heard, leave } = listen(hubOf(server))
  await server.request(1)
  server.write(`${event(1)}event: gap\ndata: {"from":2,"to":4,"count":3}\n\n${event(5)}`)
  await turn()
  assert.deepEqual(heard.slice(-3), ['e1', 'gap 3', 'e5'])
  leave()
})

test('all listeners of a group share one stream, which the last one closes', async () => {
  const server = new FakeServer()
  const hub = hubOf(server)
  const [one, other] = [listen(hub), listen(hub)]
  await server.request(1)
  server.write(event(1))
  await turn()
  assert.equal(server.requests.length, 1)
  assert.deepEqual([one.heard.at(-1), other.heard.at(-1)], ['e1', 'e1'])
  one.leave()
  assert.equal(server.requests[0]?.signal.aborted, false)
  other.leave()
  const third = listen(hub)
  assert.deepEqual(third.heard, ['open'], 'leaving and joining at once keeps the stream')
  third.leave()
  await aborted(server.requests[0]?.signal)
  const fourth = listen(hub)
  await server.request(2)
  fourth.leave()
})

test('one who joins an open stream hears that it is open', async () => {
  const server = new FakeServer()
  const hub = hubOf(server)
  const first = listen(hub)
  await server.request(1)
  const second = listen(hub)
  assert.deepEqual(second.heard, ['open'])
  first.leave()
  second.leave()
})

test('a refused stream is not tried again until someone joins', async () => {
  const server = new FakeServer()
  server.status = 401
  const hub = hubOf(server)
  const { heard } = listen(hub)
  await server.request(1)
  await turn()
  assert.deepEqual([heard.at(-1), server.requests.length], ['refused', 1])
  server.status = 200
  const again = listen(hub)
  await server.request(2)
  assert.equal(again.heard.at(-1), 'open')
  again.leave()
})
