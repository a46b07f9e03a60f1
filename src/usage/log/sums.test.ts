import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { startProduct } from '#test/product'
import type { LogList, UsageLog, UsageSums } from '../contract.ts'
import { add, decimal, writeDecimal, zero } from '#kernel/decimal'
import { rounds } from '#test/rounds'
import type { LedgerRow } from '../row.ts'
import { insertRows, newRow } from './testing-rows.ts'

let close = async (): Promise<void> => undefined
after(() => close())
const product = await startProduct()
const database = openDatabase(product.target, await createLog({ level: 'silent', form: 'json' }))
close = () => database.close()
const { groupId } = product.first
const stranger = randomUUID()

const oneOf = <T>(values: readonly T[]): T => values[randomInt(values.length)] as T
const keys = [null, randomUUID(), randomUUID(), randomUUID()]
const models = [
  ['openai', 'gpt-6-sol'],
  ['openai', 'gpt-6-luna'],
  ['anthropic', 'claude-sonnet-5-5'],
  ['openrouter', 'gpt-6-sol'],
  [null, ''],
] as const
const days = [
  '2026-01-30',
  '2026-01-31',
  '2026-02-01',
  '2026-02-14',
  '2026-02-28',
  '2026-03-01',
  '2026-04-09',
]

/** Clustered in a few hours, so that pages end in the middle of days and hours. */
function randomRow(group: string): LedgerRow {
  const [provider, model] = oneOf(models)
  const isPriced = randomInt(4) > 0
  const at = new Date(`${oneOf(days)}T${oneOf(['00', '09', '10', '23'])}:00:00Z`)
  return newRow(group, new Date(at.getTime() + randomInt(3_600_000)), {
    provider,
    model,
    api_key_id: oneOf(keys),
    status_code: oneOf([200, 200, 200, 399, 400, 499, 502]),
    usage_source: oneOf(['provider', 'estimated', 'none']),
    prompt_tokens: randomInt(100_000),
    completion_tokens: randomInt(4_000),
    cached_tokens: randomInt(1_000),
    cache_write_tokens: randomInt(1_000),
    reasoning_tokens: randomInt(1_000),
    duration_ms: randomInt(60_000),
    input_cost: isPriced ? `0.${String(randomInt(1_000_000_000)).padStart(12, '0')}` : null,
    output_cost: isPriced ? `${randomInt(3)}.${String(randomInt(1_000_000)).padStart(7, '0')}` : null,
  })
}

const rows = Array.from({ length: 1_500 }, () => randomRow(groupId))
for (let at = 0; at < rows.length; at += 400)
  await insertRows(
    database.pool,
    [
      ...rows.slice(at, at + 400),
      // Delivered twice, as after a crash, and beside another group's.
      ...rows.slice(Math.max(0, at - 50), at),
      ...Array.from({ length: 100 }, () => randomRow(stranger)),
    ].filter((row, index, all) => all.findIndex(({ id }) => id === row.id) === index),
  )

async function get<T>(path: string, query: Record<string, string> = {}): Promise<T> {
  const { status, json, text } = await product.call(`${path}?${new URLSearchParams(query).toString()}`, {
    key: product.key,
  })
  assert.equal(status, 200, text)
  return json as T
}

async function pages(query: Record<string, string>, limit: number): Promise<UsageLog[]> {
  const found: UsageLog[] = []
  let cursor: string | null = null
  do {
    const page: LogList = await get('/api/v1/logs', {
      ...query,
      limit: String(limit),
      ...(cursor && { cursor }),
    })
    found.push(...page.data)
    cursor = page.next_cursor
  } while (cursor)
  return found
}

function randomFilter(): Record<string, string> {
  const filter: Record<string, string> = {}
  const [start, end] = [oneOf(days), oneOf(days)].toSorted()
  if (randomInt(3) === 0) filter['start_date'] = start ?? ''
  if (randomInt(3) === 0) filter['end_date'] = end ?? ''
  if (randomInt(3) === 0) filter['model'] = oneOf(models)[1] || 'gpt-6-sol'
  if (randomInt(3) === 0) filter['provider'] = oneOf(['openai', 'beta', 'anthropic', 'openrouter'])
  if (randomInt(3) === 0) filter['api_key_id'] = oneOf(keys) ?? 'none'
  return filter
}

type Expected = Omit<UsageSums, 'avg_duration_ms'>

function sumOf(found: readonly UsageLog[]): Expected {
  const count = (value: (row: UsageLog) => number | boolean): number =>
    found.reduce((sum, row) => sum + Number(value(row)), 0)
  const cost = (values: (string | null)[]): string | null => {
    const known = values.filter((value) => value !== null)
    return known.length === 0 ? null : writeDecimal(known.map(decimal).reduce(add, zero))
  }
  return {
    requests: found.length,
    errors: count((row) => row.status_code >= 400),
    unpriced_requests: count((row) => row.input_cost === null),
    estimated_requests: count((row) => row.usage_source === 'estimated'),
    prompt_tokens: count((row) => row.prompt_tokens),
    completion_tokens: count((row) => row.completion_tokens),
    total_tokens: count((row) => row.total_tokens),
    cached_tokens: count((row) => row.cached_tokens),
    cache_write_tokens: count((row) => row.cache_write_tokens),
    reasoning_tokens: count((row) => row.reasoning_tokens),
    input_cost: cost(found.map((row) => row.input_cost)),
    output_cost: cost(found.map((row) => row.output_cost)),
    total_cost: cost(found.map((row) => row.total_cost)),
  }
}

/** The sums of each part, by its name; parts in no order. */
function sumsBy(found: readonly UsageLog[], nameOf: (row: UsageLog) => string): Map<string, Expected> {
  return new Map([...Map.groupBy(found, nameOf)].map(([name, part]) => [name, sumOf(part)]))
}

function reportedSums<T extends UsageSums>(
  data: readonly T[],
  nameOf: (row: T) => string,
): Map<string, Expected> {
  const names = Object.keys(sumOf([])) as (keyof Expected)[]
  return new Map(
    data.map((row) => [
      nameOf(row),
      Object.fromEntries(names.map((name) => [name, row[name]])) as unknown as Expected,
    ]),
  )
}

type ReportedRow = UsageSums & Record<'model' | 'provider' | 'api_key_id' | 'date', string | null>

test('for any filter the analytics add up to the log, to the last digit', async () => {
  for (let round = 0; round < rounds(10, 100); round++) {
    const filter = round === 0 ? {} : randomFilter()
    const found = await pages(filter, oneOf([37, 200, 1_000]))
    const filterText = JSON.stringify(filter)
    for (const [path, ofReported, ofRow] of [
      [
        'by-model',
        (t: ReportedRow) => `${t.model} ${t.provider}`,
        (r: UsageLog) => `${r.model} ${r.provider}`,
      ],
      ['by-provider', (t: ReportedRow) => String(t.provider), (r: UsageLog) => String(r.provider)],
      ['by-key', (t: ReportedRow) => String(t.api_key_id), (r: UsageLog) => String(r.api_key_id)],
      ['daily', (t: ReportedRow) => String(t.date), (r: UsageLog) => r.created_at.slice(0, 10)],
    ] as const) {
      const { data } = await get<{ data: ReportedRow[] }>(`/api/v1/analytics/${path}`, filter)
      const happened = data.filter((row) => row.requests > 0)
      assert.deepEqual(reportedSums(happened, ofReported), sumsBy(found, ofRow), `${path} ${filterText}`)
    }
    const status = oneOf([undefined, 'ok', 'error'])
    const narrowed = status ? { ...filter, status } : filter
    const kept = found.filter((row) => !status || row.status_code >= 400 === (status === 'error'))
    const summary = await get<UsageSums>('/api/v1/logs/summary', narrowed)
    assert.deepEqual(reportedSums([summary], () => 'all').get('all'), sumOf(kept), JSON.stringify(narrowed))
    const { total } = await get<LogList>('/api/v1/logs', { ...narrowed, limit: '1' })
    assert.equal(total, kept.length, JSON.stringify(narrowed))
  }
})

test('pages by cursor and by offset show the same rows, which are the rows of the log in its order', async () => {
  const expected = rows
    .map(({ id }) => id)
    .toSorted()
    .toReversed()
  const ids = (found: readonly UsageLog[]): string[] => found.map(({ id }) => id)
  assert.deepEqual(ids(await pages({}, 64)), expected)
  for (const offset of [0, 1, 63, 700, 1_449, 1_499, 1_500, 10_000]) {
    const page = await get<LogList>('/api/v1/logs', { limit: '50', offset: String(offset) })
    assert.deepEqual(ids(page.data), expected.slice(offset, offset + 50))
    assert.equal(page.next_cursor === null, offset + 50 >= expected.length)
  }
  for (let round = 0; round < rounds(10, 100); round++) {
    const filter = { ...randomFilter(), ...(randomInt(2) && { status: oneOf(['ok', 'error']) }) }
    const found = ids(await pages(filter, 1_000))
    const offset = randomInt(found.length + 2)
    const page = await get<LogList>('/api/v1/logs', { ...filter, limit: '20', offset: String(offset) })
    assert.deepEqual(ids(page.data), found.slice(offset, offset + 20), JSON.stringify(filter))
  }
})

test('an export has exactly the rows of the pages', async () => {
  for (const filter of [{}, randomFilter(), randomFilter()])
    assert.deepEqual(
      await get('/api/v1/logs/export', { ...filter, format: 'json' }),
      await pages(filter, 100),
      JSON.stringify(filter),
    )
})

test('while new requests arrive, pages by cursor show none twice and miss none', async () => {
  const before = new Set((await pages({}, 1_000)).map(({ id }) => id))
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: LogList = await get('/api/v1/logs', { limit: '100', ...(cursor && { cursor }) })
    seen.push(...page.data.map(({ id }) => id))
    cursor = page.next_cursor
    await insertRows(database.pool, [newRow(groupId, new Date()), randomRow(groupId)])
  } while (cursor)
  assert.equal(new Set(seen).size, seen.length)
  const all = new Set(seen)
  assert.deepEqual(
    [...before].filter((id) => !all.has(id)),
    [],
  )
})
