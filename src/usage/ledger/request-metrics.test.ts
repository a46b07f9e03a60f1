import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import type { Settled } from './records.ts'
import { createRequestMetrics } from './request-metrics.ts'

test('however many providers and models there are, 200 of them and one for the rest are labels', async () => {
  const registry = new Registry()
  const metrics = createRequestMetrics(registry)
  for (let n = 0; n < 300; n++) {
    const entry = { provider: `custom-${n}`, model: 'm', startedAt: new Date(0) }
    const outcome = { statusCode: 200, usage: null, ttftMs: null, endedAt: new Date(1_000) }
    metrics.ended({ entry, outcome } as unknown as Settled)
  }
  const text = await registry.metrics()
  const series = [...text.matchAll(/^signalbox_gateway_requests_total\{.*$/gm)].map(([line]) => line)
  assert.equal(series.length, 201)
  assert.equal(
    series.at(-1),
    'signalbox_gateway_requests_total{provider="other",model="other",status="200"} 100',
  )
})

test('cost is counted by what answered; a row without a price adds nothing', async () => {
  const registry = new Registry()
  const metrics = createRequestMetrics(registry)
  const row = { provider: 'openai', model: 'm', input_cost: '0.25', output_cost: '1.5' }
  metrics.stored([row, row, { ...row, input_cost: null, output_cost: null }, { ...row, provider: null }])
  assert.match(
    await registry.metrics(),
    /^signalbox_gateway_cost_dollars_total\{provider="openai",model="m"\} 3\.5$/m,
  )
})
