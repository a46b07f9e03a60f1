import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type { Kysely } from 'kysely'
import { openDatabase } from '#kernel/db'
import { builtInPrices } from '#gateway'
import { loadConfig } from '#kernel/config'
import { createLog } from '#kernel/log'
import { createTestDatabase } from '#test/database'
import { insertRows, newRow } from '../log/testing-rows.ts'
import type { LedgerAttempt, UsageTables } from '../tables.ts'
import { setPriceFrom } from './commands.ts'
import { reprice, type RepricedModel } from './reprice.ts'

const log = await createLog({ level: 'silent', form: 'json' })
const target = await createTestDatabase()
const database = openDatabase(target, log)
after(() => database.close())
const db: Kysely<UsageTables> = database.tables()
const sources = builtInPrices(loadConfig({}))

const day = { from: new Date('2026-11-10T00:00:00Z'), to: new Date('2026-11-11T00:00:00Z') }
const at = (text: string): Date => new Date(`2026-11-${text}:00Z`)

/** 100 and 20 tokens a request. */
async function group(rows: [Date, object][]): Promise<string> {
  const groupId = randomUUID()
  await insertRows(
    database.pool,
    rows.map(([time, given]) => newRow(groupId, time, { model: 'house-model', provider: 'house', ...given })),
  )
  return groupId
}

const costsOf = async (groupId: string) =>
  db
    .selectFrom('usage.usage_logs')
    .select(['input_cost', 'output_cost', 'price_id'])
    .where('group_id', '=', groupId)
    .orderBy('id')
    .execute()

/** The sums by hour and by day are those of the rows. */
async function sumsAgree(groupId: string): Promise<void> {
  const sums = async (from: string, unpriced: string) =>
    (
      await database.pool.query(
        `select model, trim_scale(sum(input_cost))::text as input, trim_scale(sum(output_cost))::text as output,
           ${unpriced}::text as unpriced
         from ${from} where group_id = $1 group by model order by model`,
        [groupId],
      )
    ).rows
  const ofRows = await sums('usage.usage_logs', 'count(*) filter (where input_cost is null)')
  assert.deepEqual(await sums('usage.hourly', 'sum(unpriced_requests)'), ofRows)
  assert.deepEqual(await sums('usage.daily', 'sum(unpriced_requests)'), ofRows)
}

const prices = (input: string, output: string) => ({ input_price_per_1m: input, output_price_per_1m: output })
const only = (models: RepricedModel[], name: string) => models.find(({ model }) => model === name)

test('a price for the past changes nothing on its own, is shown as a difference, and applied when asked', async () => {
  const unpriced = { input_cost: null, output_cost: null }
  const groupId = await group([
    [at('10T08:00'), unpriced],
    [at('10T09:30'), unpriced],
    [at('10T09:45'), { ...unpriced, status_code: 502, usage_source: 'none' }],
    [at('12T09:00'), unpriced],
  ])
  await setPriceFrom(database, groupId, 'house-model', prices('5', '10'), at('10T09:00'))
  assert.ok((await costsOf(groupId)).every((row) => row.input_cost === null))

  const shown = only(await reprice(db, sources, { ...day, apply: false }), 'house-model')
  // 100 × 5 / 1,000,000 + 20 × 10 / 1,000,000 for the one at half past nine; nobody knows what the failed one used.
  assert.deepEqual(shown, {
    model: 'house-model',
    rows: 3,
    changed: 1,
    old_cost: null,
    new_cost: '0.0007',
    difference: '0.0007',
  })
  assert.ok(
    (await costsOf(groupId)).every((row) => row.input_cost === null),
    'nothing was changed',
  )

  await reprice(db, sources, { ...day, apply: true })
  const costs = await costsOf(groupId)
  assert.deepEqual(
    costs.map((row) => row.input_cost),
    [null, '0.0005', null, null],
  )
  assert.ok(costs[1]?.price_id && !costs[2]?.price_id)
  await sumsAgree(groupId)
  const again = only(await reprice(db, sources, { ...day, apply: true }), 'house-model')
  assert.deepEqual([again?.changed, again?.difference], [0, '0'])
})

test('a correction replaces a wrong price from its day on; what it is applied to stays in balance', async () => {
  const groupId = await group([
    [at('10T01:00'), { input_cost: '1', output_cost: '2' }],
    [at('10T01:30'), { input_cost: '1', output_cost: '2', api_key_id: randomUUID() }],
    [at('10T23:59'), { input_cost: '1', output_cost: '2' }],
  ])
  await setPriceFrom(database, groupId, 'house-model', prices('100', '100'), at('10T00:30'))
  await setPriceFrom(database, groupId, 'house-model', prices('1', '1'), at('10T00:00'))
  const [done] = await reprice(db, sources, { ...day, model: 'house-model', apply: true })
  // Every one costs 100 × 1 + 20 × 1 for a million now, instead of 3.
  assert.deepEqual(
    (await costsOf(groupId)).map((row) => [row.input_cost, row.output_cost]),
    Array.from({ length: 3 }, () => ['0.0001', '0.00002']),
  )
  assert.equal(done?.changed, 3)
  await sumsAgree(groupId)
})

test('only the model and the period that were named are touched; a cost without a price today is kept', async () => {
  const groupId = await group([
    [at('10T05:00'), { model: 'gpt-6-sol', provider: 'openai', input_cost: '9', output_cost: '9' }],
    [at('10T05:01'), { model: 'gone-model', provider: 'house', input_cost: '7', output_cost: '7' }],
    [at('11T00:00'), { model: 'gpt-6-sol', provider: 'openai', input_cost: '9', output_cost: '9' }],
  ])
  await reprice(db, sources, { ...day, model: 'something-else', apply: true })
  assert.deepEqual(
    (await costsOf(groupId)).map((row) => row.input_cost),
    ['9', '7', '9'],
  )
  const models = await reprice(db, sources, { ...day, apply: true })
  assert.deepEqual([only(models, 'gone-model')?.changed, only(models, 'gpt-6-sol')?.changed], [0, 1])
  // Built in: 2 in, 10 out. The row of the built-in price is there with it.
  const [first, kept, outside] = await costsOf(groupId)
  assert.deepEqual([first?.input_cost, first?.output_cost], ['0.0002', '0.0002'])
  assert.deepEqual([kept?.input_cost, outside?.input_cost], ['7', '9'])
  const stored = await db
    .selectFrom('usage.model_pricing')
    .select('source')
    .where('id', '=', first?.price_id ?? '')
    .execute()
  assert.deepEqual(stored, [{ source: 'built_in' }])
  await sumsAgree(groupId)
})

test('every call of a request is priced again by its own model, also when another model answered', async () => {
  const call = (model: string, input: string): LedgerAttempt => ({
    ...{ provider: 'house', provider_key_id: randomUUID(), model, status_code: 200, error_code: null },
    ...{
      started_at: at('10T03:00').toISOString(),
      duration_ms: 10,
      usage_source: 'provider',
      price_id: null,
    },
    ...{ input_cost: input, output_cost: '0', prompt_tokens: 100, completion_tokens: 20 },
  })
  const late = {
    ...call('first-model', '0'),
    usage_source: 'none' as const,
    input_cost: null,
    output_cost: null,
  }
  const groupId = await group([
    [
      at('10T03:00'),
      {
        model: 'last-model',
        prompt_tokens: 200,
        completion_tokens: 40,
        input_cost: '0.3',
        output_cost: '0',
        attempts: [call('first-model', '0.1'), late, call('last-model', '0.2')],
        attempt_count: 3,
      },
    ],
  ])
  await setPriceFrom(database, groupId, 'first-model', prices('10', '0'), day.from)
  await reprice(db, sources, { ...day, groupId, model: 'first-model', apply: true })
  // 100 × $10 for a million is $0.001; the call that answered has no price today and keeps its $0.2.
  assert.deepEqual(
    (await costsOf(groupId)).map((row) => [row.input_cost, row.output_cost]),
    [['0.201', '0']],
  )
  await setPriceFrom(database, groupId, 'last-model', prices('20', '50'), day.from)
  await reprice(db, sources, { ...day, groupId, apply: true })
  // $0.001, and 100 × $20 and 20 × $50 for a million: $0.002 and $0.001.
  const [row] = await costsOf(groupId)
  assert.deepEqual([row?.input_cost, row?.output_cost], ['0.003', '0.001'])
  const [stored] = await db
    .selectFrom('usage.usage_logs')
    .select('attempts')
    .where('group_id', '=', groupId)
    .execute()
  assert.deepEqual(
    stored?.attempts?.map((each) => [each.input_cost, each.output_cost]),
    [
      ['0.001', '0'],
      [null, null],
      ['0.002', '0.001'],
    ],
  )
  assert.equal(stored.attempts.at(-1)?.price_id, row?.price_id)
  await sumsAgree(groupId)
  const again = await reprice(db, sources, { ...day, groupId, apply: true })
  assert.deepEqual(
    again.map(({ changed }) => changed),
    [0],
  )
})

test('more rows than fit in a batch are all repriced', async () => {
  const many: [Date, object][] = Array.from({ length: 4_500 }, (_, index) => [
    new Date(day.from.getTime() + index * 1_000),
    { model: 'many-model', input_cost: null, output_cost: null },
  ])
  const groupId = await group(many)
  await setPriceFrom(database, groupId, 'many-model', prices('10', '0'), day.from)
  const done = only(await reprice(db, sources, { ...day, apply: true }), 'many-model')
  assert.deepEqual([done?.rows, done?.changed, done?.new_cost], [4_500, 4_500, '4.5'])
  await sumsAgree(groupId)
})
