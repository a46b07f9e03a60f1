import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LedgerRow } from '../row.ts'
import { insertRows, newRow } from '../log/testing-rows.ts'
import { RowBuffer, type WrittenRow } from './row-buffer.ts'
import { groupId, newDatabase } from './testing.ts'

const at = new Date(Date.UTC(2026, 10, 15, 9, 59, 59, 7))
const ids = {
  api_key_id: '00000000-0000-4000-8000-000000000002',
  provider_key_id: '00000000-0000-4000-8000-000000000003',
  price_id: '00000000-0000-4000-8000-000000000004',
}
const tokens = {
  prompt_tokens: 1_000_000_000_070,
  completion_tokens: 8,
  cached_tokens: 7,
  cache_write_tokens: 6,
  cache_write_long_tokens: 5,
  reasoning_tokens: 4,
  audio_input_tokens: 3,
  audio_output_tokens: 2,
}
const costs = {
  input_cost: '123456789012345678901234567890.5',
  output_cost: '0.000000000000000000000000000001',
  stated_cost: '0',
}
const texts = {
  provider: 'a "provider"\\',
  model: 'größe\n\u{1f600}',
  endpoint: '/v1/"x"',
  user_label: '"},{"id":"',
  session_key: 'a"b',
  subagent_key: '\\',
  upstream_request_id: 'req_"1',
  route: 'a "route"',
  error_message: 'no\tsuch "thing"\u2028',
}
const full: Partial<LedgerRow> = {
  ...ids,
  ...tokens,
  ...costs,
  ...texts,
  ttft_ms: 11,
  upstream_ms: 10,
  attempt_count: 2,
  status_code: 404,
  streamed: true,
  usage_source: 'estimated',
  units: { web_search: 1.5 },
  metadata: { team: ['ü', null, { deep: '"' }] },
}

test('PostgreSQL reads from the bytes of a row what the row says, to the last digit', async () => {
  const { database, rows } = await newDatabase()
  const row = newRow(groupId, at, full)
  await insertRows(database.pool, [row])
  const [found = {}] = await rows()
  const counts = Object.fromEntries(Object.entries(tokens).map(([name, count]) => [name, String(count)]))
  const times = { started_at: at, ended_at: new Date(at.getTime() + 1_200), duration_ms: 1_200 }
  const { new_prices: _, ...expected } = { ...row, ...counts, ...times }
  const told = Object.fromEntries(Object.keys(expected).map((name) => [name, found[name]]))
  assert.deepEqual(told, expected)
})

test('what a row does not have is null, or nought where it is counted', async () => {
  const { database, rows } = await newDatabase()
  const none = Object.fromEntries(Object.keys(tokens).map((name) => [name, 0]))
  await insertRows(database.pool, [newRow(groupId, at, { ...none, provider: null, input_cost: null })])
  const [found = {}] = await rows()
  for (const name of Object.keys(tokens)) assert.equal(found[name], '0', name)
  for (const name of [...Object.keys(ids), 'provider', 'input_cost', 'stated_cost', 'units', 'metadata'])
    assert.equal(found[name], null, name)
})

test('any neighbours among the rows are an array, in whatever order they are asked for', () => {
  const buffer = new RowBuffer()
  const written = Array.from({ length: 9 }, (_, n) => buffer.add(newRow(groupId, at, { model: `ü${n}` })))
  for (const [from, to] of [
    [0, 9],
    [0, 5],
    [5, 9],
    [3, 4],
    [2, 7],
    [8, 9],
    [4, 9],
    [0, 9],
    [1, 1],
  ] as const)
    assert.deepEqual(
      modelsIn(buffer, written.slice(from, to)),
      Array.from({ length: to - from }, (_, n) => `ü${from + n}`),
    )
  for (const [n, row] of written.entries())
    assert.equal((JSON.parse(buffer.textOf(row)) as LedgerRow).model, `ü${n}`)
})

test('there is room for rows of any length, and the next ones find an empty buffer', () => {
  const buffer = new RowBuffer()
  for (const length of [10, 300_000, 3_000_000, 20]) {
    const rows = Array.from({ length: 4 }, (_, n) => newRow(groupId, at, { model: `ß${n}`.repeat(length) }))
    const written = rows.map((row) => buffer.add(row))
    assert.equal(written[0]?.start, 1)
    assert.deepEqual(
      modelsIn(buffer, written),
      rows.map((row) => row.model),
    )
    buffer.clear()
  }
})

test('more names than are remembered are still written as they are', () => {
  const buffer = new RowBuffer()
  const names = Array.from({ length: 5_000 }, (_, n) => `model "${n % 3_000}"`)
  const written = names.map((model) => buffer.add(newRow(groupId, at, { model })))
  assert.deepEqual(modelsIn(buffer, written), names)
})

function modelsIn(buffer: RowBuffer, rows: readonly WrittenRow[]): string[] {
  return (JSON.parse(buffer.arrayOf(rows).toString()) as LedgerRow[]).map((row) => row.model)
}
