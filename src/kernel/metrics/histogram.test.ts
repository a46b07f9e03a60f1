import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { createHistogram } from './histogram.ts'

test('a scrape shows every value, also those that came since the last one', async () => {
  const registry = new Registry()
  const seconds = createHistogram({
    name: 'seconds',
    help: 'Seconds',
    labelNames: ['route'],
    buckets: [1, 10],
    registers: [registry],
  })
  const [list, item] = [seconds('list'), seconds('item')]
  for (let value = 1; value <= 600; value++) list.observe(value)
  item.observe(0.5)
  const first = await registry.metrics()
  assert.match(first, /^seconds_bucket\{le="1",route="list"\} 1$/m)
  assert.match(first, /^seconds_bucket\{le="10",route="list"\} 10$/m)
  assert.match(first, /^seconds_count\{route="list"\} 600$/m)
  assert.match(first, /^seconds_sum\{route="list"\} 180300$/m)
  assert.match(first, /^seconds_count\{route="item"\} 1$/m)

  item.observe(2)
  const second = await registry.metrics()
  assert.match(second, /^seconds_count\{route="item"\} 2$/m)
  assert.match(second, /^seconds_count\{route="list"\} 600$/m)
})
