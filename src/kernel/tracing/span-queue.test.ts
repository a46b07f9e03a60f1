import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { startCollector } from '#test/collector'
import { waitFor } from '#test/wait'
import { SpanQueue } from './span-queue.ts'

const collector = await startCollector()
const logged: string[] = []
const note = (...args: unknown[]): void => void logged.push(String(args.at(-1)))
const span = (name: string): string => JSON.stringify({ name, attributes: [] })

function open(endpoint = collector.url) {
  const registry = new Registry()
  const queue = new SpanQueue({
    endpoint,
    headers: undefined,
    resource: '{}',
    log: { info: note, warn: note } as never,
    registry,
    delayMs: 10,
    stopLimitMs: 100,
  })
  queue.start()
  const count = async (outcome: string): Promise<number> => {
    const { values = [] } = (await registry.getMetricsAsJSON())[0] ?? {}
    return values.find(({ labels }) => labels['outcome'] === outcome)?.value ?? 0
  }
  return { queue, count }
}

test('spans wait while the collector is unavailable, the latest are dropped, and it is said once', async () => {
  const { queue, count } = open()
  collector.respond({ status: 503 })
  for (let n = 0; n < 3_000; n++) queue.add(span(`span ${n}`))
  await waitFor('a failure', async () => logged.includes('traces do not reach their collector'))
  assert.equal(await count('dropped'), 3_000 - 2_048)
  collector.respond({ status: 200 })
  await waitFor('all that waited', async () => (await count('sent')) === 2_048)
  assert.equal(collector.spans().at(0)?.name, 'span 0')
  assert.equal(collector.spans().length, 2_048)
  await waitFor('the good news', async () => logged.includes('traces reach their collector again'))
  assert.equal(logged.length, 2)
  await queue.stop()
})

test('what the collector refuses for good is dropped and not sent again', async () => {
  const { queue, count } = open()
  collector.respond({ status: 400 })
  queue.add(span('refused'))
  await waitFor('it is dropped', async () => (await count('dropped')) === 1)
  collector.respond({ status: 200, body: '{"partialSuccess":{"rejectedSpans":"1"}}' })
  queue.add(span('taken'))
  queue.add(span('rejected'))
  await waitFor('both are counted', async () => (await count('sent')) === 1)
  assert.equal(await count('dropped'), 2)
  await queue.stop()
})

test('a collector that does not answer holds up no stop', async () => {
  const { queue, count } = open()
  collector.respond(null)
  queue.add(span('lost'))
  const before = performance.now()
  await queue.stop()
  assert.ok(performance.now() - before < 2_000)
  assert.equal(await count('dropped'), 1)
})
