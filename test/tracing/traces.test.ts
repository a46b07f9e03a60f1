import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCollector, type CollectedSpan } from '#test/collector'
import { claude, gpt, startRouted } from '../routing/routed.ts'

const collector = await startCollector()
const server = await startRouted({
  OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/otlp/`,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=planted%20collector%20key',
  OTEL_SERVICE_NAME: 'the gateway',
})
const { fake, ask } = server
await server.route({ name: 'two', targets: [gpt, claude] })

const ids = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', parent: '00f067aa0ba902b7' }
const sampled = {
  traceparent: `00-${ids.trace}-${ids.parent}-01`,
  tracestate: 'vendor=planted-state',
  'x-signalbox-session': 'session-1',
}
const planted = { messages: [{ role: 'user', content: 'planted prompt' }] }

// One request that a second provider answers, one of a client that does not want to be traced, one stream, one of
// nobody; then the server stops, and sends what waits.
fake.script('openai', { error: { status: 503, message: 'planted error' } })
fake.script('anthropic', { text: 'planted answer' })
const answered = await ask('two', planted, sampled)
const sent = fake.requests.map(({ provider, headers }) => ({ provider, headers }))
fake.reset()
await ask(gpt, planted, { traceparent: sampled.traceparent.replace(/01$/, '00') })
const unsampled = fake.requests.at(-1)?.headers
const streamed = await ask(claude, { ...planted, stream: true }, { traceparent: '00-nonsense' })
const refused = await server.call('/v1/chat/completions', { key: 'sb-wrong', json: { model: gpt } })
const unknown = await ask('planted model', planted)
await server.call('/livez')
const { text: metrics } = await server.call('/metrics', { key: server.key })
await server.stop()

const spans = collector.spans()
const spanOf = (response: { headers: Headers }): CollectedSpan => {
  const id = response.headers.get('x-request-id')
  const found = spans.find(({ attributes }) => attributes['signalbox.request_id'] === id)
  assert.ok(found, `no span for ${id}`)
  return found
}
const callsOf = ({ spanId }: CollectedSpan): CollectedSpan[] =>
  spans
    .filter(({ parentSpanId }) => parentSpanId === spanId)
    .toSorted((one, other) => (one.startTimeUnixNano < other.startTimeUnixNano ? -1 : 1))

test('a request is a server span in the trace of its client, with a client span for each call', () => {
  assert.equal(answered.status, 200)
  const span = spanOf(answered)
  assert.deepEqual(
    [span.traceId, span.parentSpanId, span.traceState, span.kind, span.name, span.status],
    [ids.trace, ids.parent, 'vendor=planted-state', 2, 'POST /v1/chat/completions', undefined],
  )
  const { attributes } = span
  assert.deepEqual(
    ['operation.name', 'provider.name', 'response.model', 'conversation.id'].map(
      (name) => attributes[`gen_ai.${name}`],
    ),
    ['chat', 'anthropic', claude, 'session-1'],
  )
  assert.deepEqual([attributes['http.response.status_code'], attributes['signalbox.route']], [200, 'two'])
  assert.ok(Number(attributes['gen_ai.usage.input_tokens']) > 0)

  const [failed, second, ...more] = callsOf(span)
  assert.deepEqual(more, [])
  assert.deepEqual(
    [failed, second].map((call) => [
      call?.traceId,
      call?.kind,
      call?.name,
      call?.attributes['gen_ai.provider.name'],
      call?.attributes['gen_ai.request.model'],
      call?.attributes['http.response.status_code'],
      call?.attributes['server.address'],
      call?.status?.code,
    ]),
    [
      [ids.trace, 3, `chat ${gpt}`, 'openai', gpt, 503, '127.0.0.1', 2],
      [ids.trace, 3, `chat ${claude}`, 'anthropic', claude, 200, '127.0.0.1', undefined],
    ],
  )
  assert.equal(typeof failed?.attributes['error.type'], 'string')
  for (const call of [failed, second]) {
    assert.ok(call && call.startTimeUnixNano >= span.startTimeUnixNano, 'a call begins within its request')
    assert.ok(call.endTimeUnixNano <= span.endTimeUnixNano, 'and ends within it')
  }
})

test('each provider gets the span of its call as its parent, and nothing else of the client', () => {
  const [failed, second] = callsOf(spanOf(answered))
  assert.deepEqual(
    sent.map(({ provider, headers }) => [provider, headers['traceparent'], headers['tracestate']]),
    [
      ['openai', `00-${ids.trace}-${failed?.spanId}-01`, undefined],
      ['anthropic', `00-${ids.trace}-${second?.spanId}-01`, undefined],
    ],
  )
})

test('a client that is not sampled is not traced, and its provider learns that', () => {
  assert.match(String(unsampled?.['traceparent']), new RegExp(`^00-${ids.trace}-[0-9a-f]{16}-00$`))
  const traces = spans.filter(({ traceId }) => traceId === ids.trace)
  assert.equal(traces.length, 3)
})

test('a stream has the time to its first chunk, and a header that is not valid begins a trace', () => {
  const span = spanOf(streamed)
  assert.equal(span.parentSpanId, undefined)
  assert.match(span.traceId, /^[0-9a-f]{32}$/)
  const [call] = callsOf(span)
  assert.equal(typeof call?.attributes['gen_ai.response.time_to_first_chunk'], 'number')
  assert.equal(call?.attributes['gen_ai.request.stream'], true)
})

test('requests without a valid key, and what anybody may ask, have no span', () => {
  assert.equal(refused.status, 401)
  const seen = new Set(spans.map(({ attributes }) => attributes['http.response.status_code']))
  assert.ok(!seen.has(401))
  assert.ok(!spans.some(({ name }) => name.includes('/livez')))
})

test('no prompt, response, key, error text or invented model is in what the collector got', () => {
  assert.equal(unknown.status, 404)
  assert.equal(spanOf(unknown).attributes['error.type'], '404')
  const all = collector.requests.map(({ body }) => body).join('\n')
  assert.match(all, /"stringValue":"the gateway"/)
  for (const text of ['planted prompt', 'planted answer', 'planted error', 'planted model', 'sk-planted'])
    assert.ok(!all.includes(text), text)
  assert.ok(!all.includes(server.key))
})

test('the collector gets JSON at its own path, with the headers that were set, which no log shows', () => {
  for (const { path, headers } of collector.requests)
    assert.deepEqual(
      [path, headers['content-type'], headers['x-collector-key']],
      ['/otlp/v1/traces', 'application/json', 'planted collector key'],
    )
  assert.doesNotMatch(server.logged(), /planted(%20| )collector/)
  assert.match(metrics, /^# TYPE signalbox_trace_spans_total counter$/m)
})
