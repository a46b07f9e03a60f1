import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { gzipSync } from 'node:zlib'
import { test } from 'node:test'
import { lockTable } from '#test/database'
import { startProduct } from '#test/product'
import { processorMs } from '#test/time'
import { waitFor } from '#test/wait'
import { list, titles } from './testing.ts'

const server = await startProduct({ MAX_BODY_BYTES: '4194304', BODY_BUDGET_BYTES: '8388608' })
const { call, key } = server

const protobuf = 'application/x-protobuf'
const send = (body: Buffer, headers: Record<string, string> = { 'content-type': protobuf }) =>
  call('/v1/logs', { key, method: 'POST', body, headers })

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]
}

const field = (number: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([number * 8 + 2, ...varint(content.length)]), content])

/** A request with one log record. */
const request = (record: Buffer): Buffer => field(1, field(2, field(2, record)))
const record = (name: string, text: string): Buffer =>
  Buffer.concat([field(12, Buffer.from(name)), field(5, field(1, Buffer.from(text)))])

test('a large log in Protocol Buffers is not taken for JSON', async () => {
  const text = `${'['.repeat(5_000)}${'{"'.repeat(2_000)}`
  const records = Array.from({ length: 20 }, () => request(record('brackets', text)))
  const body = Buffer.concat(records)
  assert.ok(body.length > 131_072)
  assert.equal((await send(body)).status, 200)
  const packed = { 'content-type': protobuf, 'content-encoding': 'gzip' }
  assert.equal((await send(gzipSync(body, { level: 0 }), packed)).status, 200)
  assert.ok(titles(await list(server)).includes('brackets'))
})

test('large JSON is read whether it is packed or not', async () => {
  const logRecords = Array.from({ length: 50 }, (_, index) => ({
    eventName: 'packed',
    body: { stringValue: `${index} ${'line\n'.repeat(2_000)}` },
  }))
  const body = Buffer.from(JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }))
  assert.ok(body.length > 131_072)
  const json = { 'content-type': 'application/json' }
  assert.equal((await send(body, json)).status, 200)
  assert.equal((await send(gzipSync(body), { ...json, 'content-encoding': 'gzip' })).status, 200)
  const deep = Buffer.from(`${' '.repeat(140_000)}${'['.repeat(6_000)}`)
  assert.equal((await send(deep, json)).status, 400)
  assert.equal((await send(gzipSync(deep), { ...json, 'content-encoding': 'gzip' })).status, 400)
})

test('what is not a Protocol Buffers message returns 400', async () => {
  const seeded = (seed: number): Buffer =>
    Buffer.from(
      Array.from({ length: 400 }, (_, index) => (Math.imul(seed + index, 2_654_435_761) >>> 13) & 0xff),
    )
  const broken = [
    Buffer.from([0x0a]),
    Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x7f]),
    Buffer.from(Array.from({ length: 11 }, () => 0xff)),
    Buffer.from([0x0b, 0x00]),
    Buffer.from([0x00, 0x00]),
    field(1, Buffer.from([0x12, 0x05, 0x00])),
    request(Buffer.from([0x2a, 0x03, 0x0a, 0x7f, 0x00])),
  ]
  for (const body of broken) assert.equal((await send(body)).status, 400, body.toString('hex'))
  for (let seed = 1; seed <= 50; seed += 1) {
    const { status } = await send(seeded(seed * 977))
    assert.ok(status === 200 || status === 400, `${seed}: ${status}`)
  }
})

test('text that cannot be stored does not fail the request', async () => {
  for (const text of ['a\0b', '\ud800', '\u2028'])
    assert.equal((await send(request(record('odd', text)))).status, 200)
  const notUtf8 = request(field(5, field(1, Buffer.from([0x61, 0xff, 0xc3]))))
  assert.equal((await send(notUtf8)).status, 200)
})

test('values nested too deeply, and millions of empty fields, return 400', async () => {
  let deep = field(1, Buffer.from('x'))
  for (let level = 0; level < 200; level += 1) deep = field(5, field(1, deep))
  assert.equal((await send(request(field(5, deep)))).status, 400)
  for (const bytes of [
    [0x0a, 0x00],
    [0x0a, 0x02, 0x12, 0x00],
    [0x10, 0x01],
  ]) {
    const { status, json } = await send(Buffer.alloc(4_000_000, Buffer.from(bytes)))
    assert.equal(status, 400, String(bytes))
    assert.match(json.error.message, /too many fields/)
  }
})

test('a field of null is one that is not set', async () => {
  const body = (value: object): Buffer =>
    Buffer.from(
      JSON.stringify({
        resourceLogs: [
          {
            resource: null,
            scopeLogs: [{ scope: null, logRecords: [{ eventName: null, attributes: null, body: value }] }],
          },
        ],
      }),
    )
  const unset = { intValue: null, arrayValue: null, kvlistValue: null, boolValue: null }
  const json = { 'content-type': 'application/json' }
  assert.equal((await send(body({ ...unset, stringValue: 'only this is set' }), json)).status, 200)
  assert.equal((await send(body(unset), json)).status, 200)
  assert.deepEqual(titles(await list(server, '?limit=2')), ['Log record', 'only this is set'])
})

test('an object in the place of a number is no number, and keeps no other record from being stored', async () => {
  const odd = { valueOf: 0, toString: 0 }
  const logRecords = [
    {
      severityNumber: odd,
      timeUnixNano: odd,
      body: { intValue: odd },
      attributes: [{ key: 'a', value: { intValue: odd } }],
    },
    { body: { stringValue: 'beside odd numbers' } },
  ]
  const body = Buffer.from(JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }))
  const { status, text } = await send(body, { 'content-type': 'application/json' })
  assert.equal(status, 200, text)
  assert.ok(titles(await list(server, '?limit=2')).includes('beside odd numbers'))
})

test('a large resource is not stored with thousands of records', async () => {
  const resource = { attributes: [{ key: 'notes', value: { stringValue: 'x'.repeat(30_000) } }] }
  const requestOf = (count: number): Buffer => {
    const logRecords = Array.from({ length: count }, () => ({}))
    return Buffer.from(JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] }))
  }
  const json = { 'content-type': 'application/json' }
  assert.equal((await send(requestOf(10), json)).status, 200)
  const took = await processorMs(async () => {
    for (const count of [2_000, 20_001, 200_000]) {
      const { status, json: refused } = await send(requestOf(count), json)
      assert.equal(status, 400, String(count))
      assert.match(refused.error.message, /too large together|at most 20000 log records/)
    }
  })
  // Each record would take about a millisecond if its resource were read with it.
  assert.ok(took < 5_000, `${took} ms`)
})

test('a body that unpacks to more than the limit returns 413', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  for (const type of [protobuf, 'application/json'])
    assert.equal((await send(bomb, { 'content-type': type, 'content-encoding': 'gzip' })).status, 413, type)
  const { status } = await call('/api/console/events', {
    key,
    method: 'POST',
    body: bomb,
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  })
  assert.equal(status, 413)
})

test('bodies that unpack to much at the same time are limited by what they unpack to', async () => {
  const events = JSON.stringify([{ type: 'error', title: 'packed' }]).padEnd(3_000_000)
  const sendPacked = () =>
    call('/api/console/events', {
      key,
      method: 'POST',
      body: gzipSync(events),
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    })
  const stored = await lockTable('console.events', server)
  // Each reserves 4 MiB, until it is stored.
  const sent = [sendPacked(), sendPacked(), sendPacked()]
  const refused = await Promise.race(sent)
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '2'])
  await stored.release()
  const statuses = (await Promise.all(sent)).map(({ status }) => status)
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [202, 202, 503],
  )
  await waitFor('the memory to be given back', async () => (await sendPacked()).status === 202, 10_000)
})

test('other requests have their turn while the words of many long events are made', async () => {
  let word = 0
  const text = (): string => Array.from({ length: 7_000 }, () => `w${(word++).toString(36)}x`).join(' ')
  const records = Array.from({ length: 40 }, () => request(record('long', text().slice(0, 60_000))))
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const started = performance.now()
  assert.equal((await send(Buffer.concat(records))).status, 200)
  delay.disable()
  const longestShare = delay.max / 1_000_000 / (performance.now() - started)
  // In one go it would be nearly all of the time.
  assert.ok(longestShare < 0.5, `the longest turn took ${longestShare} of the time`)
})
