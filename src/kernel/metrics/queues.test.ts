import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { collectQueueMetrics } from './queues.ts'

test('a queue that fails or hangs has no value, holds up no scrape and is not asked twice', async () => {
  const registry = new Registry()
  let asked = 0
  const queues = {
    mail: () => 3,
    jobs: async () => 7,
    broken: () => Promise.reject(new Error('the database is unavailable')),
    hanging: () => {
      asked++
      return new Promise<number>(() => undefined)
    },
  }
  collectQueueMetrics(registry, queues, 100)
  const scrape = async (): Promise<string[]> => {
    const text = await registry.metrics()
    return [...text.matchAll(/^signalbox_queue_length.*$/gm)].map(([line]) => line)
  }
  const expected = ['signalbox_queue_length{queue="mail"} 3', 'signalbox_queue_length{queue="jobs"} 7']
  assert.deepEqual(await Promise.all([scrape(), scrape()]), [expected, expected])
  assert.equal(asked, 1)
})

test('a length is remembered for some seconds', async () => {
  const registry = new Registry()
  let asked = 0
  collectQueueMetrics(registry, { jobs: () => ++asked })
  await registry.metrics()
  assert.match(await registry.metrics(), /^signalbox_queue_length\{queue="jobs"\} 1$/m)
})
