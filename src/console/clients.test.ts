import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SeverityNumber } from '@opentelemetry/api-logs'
import { OTLPLogExporter as JsonExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { OTLPLogExporter as ProtobufExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider, type LogRecordExporter } from '@opentelemetry/sdk-logs'
import { CloudEvent, HTTP, type Message } from 'cloudevents'
import { startProduct } from '#test/product'
import { list, titles } from './testing.ts'

/** Software that others wrote sends events; what it sent is read back from the console. */
const server = await startProduct()
const { call, key, url } = server

const deployed = (id: string, more: object = {}) =>
  new CloudEvent({
    id,
    source: 'https://ci.example.com/payments',
    type: 'com.example.deployment.finished',
    severity: 'warning',
    service: 'payments',
    data: { title: `Deployed ${id}`, message: 'In 74 s.', commit: '9fceb02' },
    ...more,
  })

function post({ headers, body }: Message) {
  return call('/api/console/events', {
    key,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

for (const mode of ['structured', 'binary'] as const)
  test(`cloudevents: an event in ${mode} mode is stored once, however often it is sent`, async () => {
    const message = HTTP[mode](deployed(mode))
    const first = await post(message)
    const second = await post(message)
    assert.deepEqual([first.status, first.json.duplicates], [202, 0])
    assert.deepEqual([second.status, second.json.duplicates], [202, 1])
    assert.deepEqual(second.json.ids, first.json.ids)
    const { json: event } = await call(`/api/console/events/${first.json.ids[0]}`, { key })
    assert.deepEqual(
      [event.type, event.severity, event.service, event.source, event.title, event.message],
      ['deployment', 'warning', 'payments', 'ci.example.com-payments', `Deployed ${mode}`, 'In 74 s.'],
    )
    assert.equal(event.metadata.commit, '9fceb02')
    assert.equal(event.metadata.cloudevent.id, mode)
    const same = (await list(server)).filter(({ title }) => title === `Deployed ${mode}`)
    assert.equal(same.length, 1)
  })

test('cloudevents: a batch is stored in its order, without what it has twice', async () => {
  const events = [deployed('a'), deployed('b'), deployed('a')]
  const { status, json } = await call('/api/console/events', {
    key,
    headers: { 'content-type': 'application/cloudevents-batch+json' },
    body: JSON.stringify(events),
  })
  assert.equal(status, 202)
  assert.equal(json.accepted, 3)
  assert.equal(json.duplicates, 1)
  assert.equal(json.ids[0], json.ids[2])
})

test('cloudevents: the time of an event is kept, and one that is too old does not look new', async () => {
  const time = new Date(Date.now() - 3_600_000).toISOString()
  const recent = await post(HTTP.structured(deployed('recent', { time })))
  const old = await post(HTTP.structured(deployed('old', { time: '2018-04-05T17:31:00Z' })))
  const { json: kept } = await call(`/api/console/events/${recent.json.ids[0]}`, { key })
  const { json: replaced } = await call(`/api/console/events/${old.json.ids[0]}`, { key })
  assert.equal(kept.created_at, time)
  assert.ok(Date.parse(replaced.created_at) < Date.now() - 86_400_000, 'the earliest time that is kept')
  assert.equal(replaced.metadata.original_time, '2018-04-05T17:31:00.000Z')
})

const exporters: Record<string, (compression: 'gzip' | 'none') => LogRecordExporter> = {
  JSON: (compression) => new JsonExporter(optionsOf(compression)),
  Protobuf: (compression) => new ProtobufExporter(optionsOf(compression)),
}

const optionsOf = (compression: 'gzip' | 'none') => ({
  url: `${url}/v1/logs`,
  headers: { authorization: `Bearer ${key}` },
  compression: compression as never,
})

for (const [format, createExporter] of Object.entries(exporters))
  for (const compression of ['none', 'gzip'] as const)
    test(`OpenTelemetry JS: logs in ${format} with compression ${compression} become events`, async () => {
      const service = `${format}-${compression}`
      const provider = new LoggerProvider({
        resource: resourceFromAttributes({ 'service.name': service }),
        processors: [new BatchLogRecordProcessor({ exporter: createExporter(compression) })],
      })
      const logger = provider.getLogger('checkout', '1.0')
      logger.emit({ severityNumber: SeverityNumber.INFO, body: 'Payment accepted' })
      logger.emit({
        severityNumber: SeverityNumber.FATAL,
        severityText: 'FATAL',
        eventName: 'deployment.failed',
        body: 'Rolled back\nto 1.4.1',
        attributes: { attempts: 3, ratio: 0.5, isFinal: true, tags: ['a', 'b'], big: 2 ** 40, negative: -7 },
      })
      await provider.shutdown()
      const events = await list(server, `?service=${service}`)
      assert.deepEqual(titles(events), ['deployment.failed', 'Payment accepted'])
      const [failed, accepted] = events
      assert.deepEqual([accepted?.severity, accepted?.type, accepted?.source], ['info', 'sync', 'otlp'])
      assert.deepEqual(
        [failed?.severity, failed?.type, failed?.message],
        ['critical', 'deployment', 'Rolled back\nto 1.4.1'],
      )
      const { otel, ...attributes } = { ...failed?.metadata } as Record<string, unknown>
      assert.deepEqual(attributes, {
        attempts: 3,
        ratio: 0.5,
        isFinal: true,
        tags: ['a', 'b'],
        big: 2 ** 40,
        negative: -7,
      })
      assert.equal((otel as Record<string, unknown>)['scope'], 'checkout')
    })
