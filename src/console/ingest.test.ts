import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startProduct } from '#test/product'
import { processorMs } from '#test/time'
import { texts, tokens } from '#test/secrets'
import { list, sample, send, titles } from './testing.ts'

const server = await startProduct({ MAX_BODY_BYTES: '8388608' })
const { call, key } = server

async function refused(json: unknown): Promise<[number, string | null]> {
  const { status, json: body } = await call('/api/console/events', { key, json })
  return [status, body.error.param as string | null]
}

test('a bad event refuses the whole call and is named by its index', async () => {
  const cases: [object, string][] = [
    [{ type: 'party' }, 'type'],
    [{ type: undefined }, 'type'],
    [{ severity: 'loud' }, 'severity'],
    [{ title: '' }, 'title'],
    [{ title: 7 }, 'title'],
    [{ title: 'x'.repeat(501) }, 'title'],
    [{ message: 'x'.repeat(2_000_000) }, 'message'],
    [{ message: 'a\0b' }, 'message'],
    [{ source: 'Not A Slug' }, 'source'],
    [{ service: 'x'.repeat(201) }, 'service'],
    [{ metadata: [] }, 'metadata'],
    [{ metadata: { text: 'x'.repeat(40_000) } }, 'metadata'],
    [{ created_at: 'yesterday' }, 'created_at'],
    [{ created_at: '2026-02-30T12:00:00Z' }, 'created_at'],
  ]
  for (const [wrong, param] of cases) {
    assert.deepEqual(await refused(sample('single', wrong)), [400, param])
    assert.deepEqual(await refused([sample('good'), sample('bad', wrong)]), [400, `[1].${param}`])
  }
  assert.deepEqual(await list(server, '?source=api'), [])
})

test('a group of a wrong type is refused, so that no event goes to another group', async () => {
  for (const group_id of [7, {}, ['a']]) {
    assert.deepEqual(await refused(sample('of a group', { group_id })), [400, 'group_id'])
    const owner = await call('/api/console/events', { json: sample('of a group', { group_id }) })
    assert.deepEqual([owner.status, owner.json.error.param], [400, 'group_id'])
  }
})

test('a call has at most 1,000 events', async () => {
  const many = Array.from({ length: 1_001 }, (_, index) => sample(`event ${index}`))
  assert.deepEqual(await refused(many), [400, null])
  const { status, json } = await call('/api/console/events', { key, json: many.slice(1) })
  assert.deepEqual([status, json.accepted, new Set(json.ids).size], [202, 1_000, 1_000])
})

test('lines of JSON are events; a bad line is named', async () => {
  const post = (body: string) =>
    call('/api/console/events', { key, body, headers: { 'content-type': 'application/x-ndjson' } })
  const line = (title: string): string => JSON.stringify(sample(title, { source: 'lines' }))
  const bad = await post(`${line('one')}\n{"type":\n`)
  assert.deepEqual([bad.status, bad.json.error.param], [400, '[1]'])
  const { status, json } = await post(`${line('one')}\n\n${line('two')}\n`)
  assert.deepEqual([status, json.accepted], [202, 2])
  assert.deepEqual(titles(await list(server, '?source=lines')), ['two', 'one'])
})

test('millions of lines, empty or not, are refused at once', async () => {
  const post = (body: Buffer) =>
    call('/api/console/events', {
      key,
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-ndjson' },
    })
  const took = await processorMs(async () => {
    const empty = await post(Buffer.alloc(8_000_000, '\n'))
    assert.deepEqual([empty.status, empty.json.accepted], [202, 0])
    const numbers = await post(Buffer.alloc(8_000_000, '0\n'))
    assert.deepEqual([numbers.status, numbers.json.error.param], [400, null])
    assert.match(numbers.json.error.message, /at most 1,000 events/)
  })
  assert.ok(took < 5_000, `${took} ms`)
})

const sendCloud = (...events: object[]) =>
  call('/api/console/events', {
    key,
    body: JSON.stringify(events),
    headers: { 'content-type': 'application/cloudevents-batch+json' },
  })
const cloudEvent = { specversion: '1.0', source: '/orders', type: 'com.example.sync' }

test('CloudEvents with different ids or sources are all stored, whatever is masked in them', async () => {
  const events = [
    { ...cloudEvent, id: 'sk-aaaaaaaaaaaaaaaaaaaa1' },
    { ...cloudEvent, id: 'sk-aaaaaaaaaaaaaaaaaaaa2' },
    { ...cloudEvent, id: '\ud800' },
    { ...cloudEvent, id: '\ud801' },
    { ...cloudEvent, id: '1', source: '/orders?token=first' },
    { ...cloudEvent, id: '1', source: '/orders?token=second' },
  ]
  const { status, json } = await sendCloud(...events)
  assert.deepEqual([status, json.accepted, json.duplicates], [202, 6, 0])
  assert.deepEqual((await sendCloud(...events)).json, { ...json, duplicates: 6 })
  const stored = JSON.stringify(await list(server, '?source=orders,orders-token-masked'))
  assert.doesNotMatch(stored, /aaaa|first|second/)
  assert.equal(stored.split('"sequence"').length - 1, 6)
})

test('nothing that a CloudEvent has is lost', async () => {
  const title = 'x'.repeat(501)
  const source = '/whole'
  await sendCloud(
    { ...cloudEvent, source, id: '1', data: { cloudevent: 'of the data', title: 'one' } },
    { ...cloudEvent, source, id: '2', data: { title: 'two' }, title: 'an attribute', message: 'another' },
    { ...cloudEvent, source, id: '3', data: { title } },
  )
  const [third, second, first] = await list(server, '?source=whole')
  assert.deepEqual(first?.metadata, {
    data: { cloudevent: 'of the data' },
    cloudevent: { id: '1', source, type: cloudEvent.type },
  })
  assert.deepEqual(second?.metadata, {
    cloudevent: { id: '2', source, type: cloudEvent.type, title: 'an attribute', message: 'another' },
  })
  assert.deepEqual([third?.title, third?.metadata['title']], [title.slice(1), title])
})

test('a key named like the prototype of objects is data: kept in events, refused by name in records', async () => {
  const metadata = '{"__proto__":{"polluted":true},"constructor":{"prototype":1},"deep":{"__proto__":7}}'
  const headers = { 'content-type': 'application/json' }
  const sent = await server.call('/api/console/events', {
    body: `{"type":"sync","title":"Odd keys","source":"odd-keys","metadata":${metadata}}`,
    headers,
  })
  assert.equal(sent.status, 202, sent.text)
  for (const query of ['events?source=odd-keys', 'search?q=odd']) {
    const [event] = (await server.call(`/api/console/${query}`)).json.data
    assert.deepEqual(new Map(Object.entries(event.metadata)), new Map(Object.entries(JSON.parse(metadata))))
    assert.ok(Object.hasOwn(event.metadata.deep, '__proto__'), query)
  }
  const body = `{"content":"x","metadata":${metadata}}`
  const refused = await server.call('/api/devlogs', { body, headers })
  assert.deepEqual([refused.status, refused.json.error.param], [400, 'metadata'])
})

test('a CloudEvent without a required attribute is refused by name', async () => {
  const event = { specversion: '1.0', id: '1', source: '/s', type: 't' }
  for (const [wrong, param] of [
    [{ specversion: '0.3' }, 'specversion'],
    [{ id: '' }, 'id'],
    [{ source: undefined }, 'source'],
    [{ type: 7 }, 'type'],
    [{ time: 'noon' }, 'time'],
    [{ severity: 'loud' }, 'severity'],
    [{ data: 1, data_base64: 'AA==' }, 'data_base64'],
  ] as const)
    assert.deepEqual(await refused({ ...event, ...wrong }), [400, param])
})

test('fields that an event does not have are kept in its metadata', async () => {
  await send(server, sample('more', { source: 'more', environment: 'production', metadata: { a: 1 } }))
  const [event] = await list(server, '?source=more')
  assert.deepEqual(event?.metadata, { environment: 'production', a: 1 })
})

test('no event holds an API key, and half a character does not reach the database', async () => {
  const { status } = await call('/api/console/events', {
    key,
    body: `{"type":"error","source":"masked","title":"used ${key}","message":"?key=abc\\"def","metadata":{"deep":[{"header":"Bearer ${key}"}]}}`,
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(status, 202)
  const [event] = await list(server, '?source=masked')
  assert.ok(!JSON.stringify(event).includes(key), JSON.stringify(event))
  assert.equal(event?.title, 'used sb-[masked]')
  const half = await call('/api/console/events', {
    key,
    body: '{"type":"error","source":"half","title":"a\\ud800b","metadata":{"k\\udc00":"\\ud800"}}',
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(half.status, 202)
  assert.deepEqual(titles(await list(server, '?source=half')), ['a\ufffdb'])
})

test('every secret of the list is masked in titles, messages and metadata, and all around it stays', async () => {
  const samples = [
    ...tokens.map(([, beginning, rest]) => [`${beginning}§`, rest] as const),
    ...texts.map(([text, secret]) => [text, secret] as const),
  ]
  const titled = ([text, secret]: readonly [string, string], index: number) => {
    const whole = text.replace('§', () => secret)
    const metadata = { text: whole, list: [{ text: whole }] }
    return sample(whole.slice(0, 500), { source: 'secrets', message: whole, metadata, service: `${index}` })
  }
  await send(server, ...samples.map(titled))
  const stored = await list(server, '?source=secrets&limit=1000')
  assert.equal(stored.length, samples.length)
  for (const { service, title, message, metadata } of stored) {
    const [text, secret] = samples[Number(service)] as readonly [string, string]
    const shown = JSON.stringify([title, message, metadata])
    const end = JSON.stringify(secret.slice(-12)).slice(1, -1)
    assert.ok(!shown.includes(end), `${text}: ${shown}`)
    assert.match(shown, /\[masked\]/)
  }
})

test('a value in metadata is masked by the name of its field', async () => {
  const metadata = {
    db: { password: 'hunter22', user: 'app' },
    headers: { cookie: 'sid=abcdef123456; a=b' },
    retries: 3,
  }
  await send(server, sample('named', { source: 'named', metadata }))
  const [event] = await list(server, '?source=named')
  assert.deepEqual(event?.metadata, {
    db: { password: '[masked]', user: 'app' },
    headers: { cookie: 'sid=[masked]; a=b' },
    retries: 3,
  })
})

test('records of OpenTelemetry with HTTP attributes are api_call, in the older convention too', async () => {
  const record = (body: string, name: string) => ({
    body: { stringValue: body },
    attributes: [{ key: name, value: { stringValue: 'GET' } }],
  })
  const names = ['http.request.method', 'http.method', 'http.status_code', 'url.full', 'db.system']
  const { status } = await call('/v1/logs', {
    key,
    json: {
      resourceLogs: [
        {
          resource: { attributes: [{ key: 'signalbox.source', value: { stringValue: 'calls' } }] },
          scopeLogs: [{ logRecords: names.map((name) => record(name, name)) }],
        },
      ],
    },
  })
  assert.equal(status, 200)
  const events = await list(server, '?source=calls')
  assert.deepEqual(
    Object.fromEntries(events.map(({ title, type }) => [title, type])),
    Object.fromEntries(names.map((name) => [name, name === 'db.system' ? 'sync' : 'api_call'])),
  )
})

test('gzip is unpacked, but not without a limit', async () => {
  const post = (body: Uint8Array, encoding = 'gzip') =>
    call('/api/console/events', {
      key,
      body,
      headers: { 'content-type': 'application/json', 'content-encoding': encoding },
    })
  assert.equal((await post(gzipSync(JSON.stringify(sample('packed'))))).status, 202)
  assert.equal((await post(gzipSync(Buffer.alloc(9_000_000, ' ')))).status, 413)
  assert.equal((await post(Buffer.from('not gzip'))).status, 400)
  assert.equal((await post(Buffer.from('{}'), 'br')).status, 415)
})

test('OTLP: records that cannot be stored are counted, the others are stored', async () => {
  const record = (text: string) => ({ severityNumber: 9, body: { stringValue: text } })
  const { status, json } = await call('/v1/logs', {
    key,
    json: { resourceLogs: [{ scopeLogs: [{ logRecords: [record('fine'), record('x'.repeat(70_000))] }] }] },
  })
  assert.equal(status, 200)
  assert.deepEqual(json.partialSuccess, {
    rejectedLogRecords: '1',
    errorMessage: 'body must have at most 65536 characters.',
  })
  assert.deepEqual(titles(await list(server, '?source=otlp')), ['fine'])
  // The same in Protocol Buffers: field 1 of the response has the count 1 in its field 1.
  const text = Buffer.alloc(70_000, 'x')
  const wrap = (tag: number, inner: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from([tag, (inner.length & 127) | 128, ((inner.length >> 7) & 127) | 128, inner.length >> 14]),
      inner,
    ])
  const body = wrap(0x0a, wrap(0x12, wrap(0x12, wrap(0x2a, wrap(0x0a, text)))))
  const response = await call('/v1/logs', {
    key,
    body,
    headers: { 'content-type': 'application/x-protobuf' },
  })
  assert.equal(response.status, 200)
  assert.ok(response.text.includes('body must have at most 65536 characters.'))
})

test('OTLP: what is no message is refused', async () => {
  const post = (body: Uint8Array, type = 'application/x-protobuf') =>
    call('/v1/logs', { key, body, headers: { 'content-type': type } })
  for (const bytes of [
    [0x0a, 0xff, 0xff, 0xff, 0x7f],
    [0x0f],
    [0x0a],
    [0x00],
    Array.from({ length: 12 }, () => 0xff),
  ])
    assert.equal((await post(Uint8Array.from(bytes))).status, 400, bytes.join())
  assert.equal((await post(Buffer.from('[]'), 'application/json')).status, 400)
  assert.equal((await post(Buffer.from('{"resourceLogs":{}}'), 'application/json')).status, 400)
  assert.equal((await post(Buffer.from('x'), 'text/plain')).status, 415)
  assert.equal((await call('/v1/logs', { json: { resourceLogs: [] } })).status, 401)
})
