import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ConsoleEvent, FoundEvent } from '#console/contract'
import {
  addressOf,
  filterOf,
  periodAddress,
  periodOf,
  permalink,
  readConsoleAddress,
} from './console-address.ts'
import { entriesOf } from './metadata-entries.ts'
import { inputTime, isoTime } from '../../ui/input-time.ts'
import { limitsOf, spanOf } from '../../ui/period.ts'
import { markedWords, piecesOf, wordsOf } from './pieces.ts'

const id = '01930000-0000-7000-8000-000000000001'

test('the address keeps what is known and drops the rest', () => {
  const address = readConsoleAddress({
    q: 42,
    severity: 'warning',
    type: 'error,!sync',
    range: '1h',
    since: '2026-11-16T10:00:00Z',
    event: id,
    around: 'not-an-id',
    page: 3,
  })
  assert.deepEqual(address, { q: '42', severity: 'warning', type: 'error,!sync', range: '1h', event: id })
  assert.deepEqual(readConsoleAddress({ severity: 'loud', since: 'yesterday', service: '' }), {})
})

test('filter and address are the same thing twice', () => {
  const filter = filterOf({ q: 'disk full', severity: 'error', type: 'error, !sync,,error', service: '!web' })
  assert.deepEqual(filter, {
    q: 'disk full',
    severity: 'error',
    type: ['error', '!sync'],
    service: ['!web'],
  })
  assert.deepEqual(filterOf(addressOf(filter)), filter)
})

test('the page of a source shows that source alone', () => {
  assert.deepEqual(filterOf({ source: 'gateway' }, 'deployments'), { source: ['deployments'] })
})

test('a permalink opens the event among its neighbours', () => {
  const { searchParams } = new URL(permalink('https://box.example', id))
  assert.deepEqual(readConsoleAddress(Object.fromEntries(searchParams)), { event: id, around: id })
})

test('a range ends now; two points in time stay where they are', () => {
  const now = Date.parse('2026-11-16T12:00:00.000Z')
  assert.deepEqual(limitsOf({ range: '15m' }, now), { since: '2026-11-16T11:45:00.000Z' })
  const fixed = { since: '2026-11-16T10:00:00.000Z', until: '2026-11-16T11:00:00.000Z' }
  assert.deepEqual(limitsOf(fixed, now), fixed)
  assert.deepEqual(limitsOf({}, now), {})
  assert.equal(spanOf({ range: '24h' }, now).from, Date.parse('2026-11-15T12:00:00.000Z'))
  assert.deepEqual(spanOf(fixed, now), { from: Date.parse(fixed.since), to: Date.parse(fixed.until) })
})

test('without a period the last 24 hours are shown, and all time is a choice that the address keeps', () => {
  const period = (search: Record<string, unknown>) => periodOf(readConsoleAddress(search))
  assert.deepEqual(period({}), { range: '24h' })
  assert.deepEqual(period({ range: 'all' }), {})
  for (const each of [{}, { range: '24h' }, { range: '1h' }, { since: '2026-11-16T10:00:00Z' }] as const)
    assert.deepEqual(period(periodAddress(each)), each)
  assert.deepEqual(periodAddress(period({})), {})
})

test('a time survives the field it is typed into', () => {
  assert.equal(isoTime(inputTime('2026-11-16T10:30:00.000Z')), '2026-11-16T10:30:00.000Z')
  assert.equal(isoTime(''), undefined)
})

test('words of the query are marked where they begin, in any case', () => {
  const marked = (text: string, query: string) =>
    piecesOf(text, wordsOf(query))
      .map((piece) => (piece.isMarked ? `[${piece.text}]` : piece.text))
      .join('')
  assert.equal(marked('Disk FULL on db-1, redisk', 'disk "full" or x'), '[Disk] [FULL] on db-1, redisk')
  assert.equal(marked('Timeouts (30 s)', 'timeout -retry'), '[Timeouts] (30 s)')
  assert.deepEqual(wordsOf('-retry -"dead letter" OR a.b*'), ['a', 'b'])
})

test('the words that the server found are marked rather than those of the query', () => {
  const found = { highlight: 'a <mark>timed</mark> out, <mark>&lt;b&gt;</mark>' } as FoundEvent
  assert.deepEqual(markedWords(found, ['timeout']), ['timed', '<b>'])
  assert.deepEqual(markedWords({} as ConsoleEvent, ['timeout']), ['timeout'])
})

test('metadata is flattened to paths and values', () => {
  const request = `req_${'0'.repeat(32)}`
  assert.deepEqual(
    entriesOf({ a: { b: [1, 'x'], c: {} }, url: 'https://a.example/b', request, none: null }).map(
      ({ path, text, kind }) => `${path}=${text} ${kind}`,
    ),
    [
      'a.b.0=1 text',
      'a.b.1=x text',
      'a.c={} text',
      'url=https://a.example/b link',
      `request=${request} request`,
      'none=null text',
    ],
  )
  assert.equal(entriesOf({ link: 'javascript:alert(1)' })[0]?.kind, 'text')
})
