import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type { Kysely } from 'kysely'
import { tagsOf } from '#gateway'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { startProduct } from '#test/product'
import { insertRows, newRow } from '../log/testing-rows.ts'
import type { LedgerRow } from '../row.ts'
import type { UsageTables } from '../tables.ts'
import { sumOlderDays } from './older-days.ts'

let close = async (): Promise<void> => undefined
after(() => close())
const product = await startProduct()
const database = openDatabase(product.target, await createLog({ level: 'silent', form: 'json' }))
close = () => database.close()
const db: Kysely<UsageTables> = database.tables()
const { groupId } = product.first
const call = (path: string) => product.call(path, { key: product.key })
const own = (await call('/api/v1/keys')).json.data[0] as { id: string; name: string }
const [keyA, keyB] = [randomUUID(), randomUUID()]

const row = (day: string, given: Partial<LedgerRow>, group = groupId): LedgerRow =>
  newRow(group, new Date(`2026-03-${day}T10:00:00Z`), given)
const cost = (input: string, output: string) => ({ input_cost: input, output_cost: output })

const dear = row('08', {
  ...cost('1', '2'),
  ...{ api_key_id: own.id, provider_key_id: keyA, route: 'fast', user_label: 'ada' },
  ...{ model: 'dear', metadata: { tags: ['team-a', 'nightly'] }, attempt_count: 2 },
})
await insertRows(database.pool, [
  dear,
  row('14', { ...cost('1', '0.5'), provider_key_id: keyB, route: 'fast' }),
  row('10', { ...cost('0.25', '0'), provider_key_id: keyA, metadata: { tags: 'team-a, team-a,' } }),
  row('11', { input_cost: null, output_cost: null, route: 'slow', status_code: 500 }),
  row('01', { ...cost('2', '0'), provider_key_id: keyA, route: 'fast' }),
  row('07', { ...cost('4', '0'), metadata: { tags: ['team-b'] } }),
  // Neither of another period nor of another group.
  row('15', { ...cost('50', '0'), route: 'fast' }),
  row('09', { ...cost('100', '0'), route: 'fast', provider_key_id: keyA }, randomUUID()),
])

const week = 'start_date=2026-03-08&end_date=2026-03-14'
const ask = async (by: string, more = '') => (await call(`/api/v1/usage/spend?by=${by}&${week}${more}`)).json
const short = (each: Record<string, unknown>) => [
  each['id'],
  each['requests'],
  each['total_cost'],
  each['change'],
]

test('spend by route has those without one, each with its change, and adds up to the total', async () => {
  const { total, data, before, others, is_complete } = await ask('route')
  assert.deepEqual(before, { start_date: '2026-03-01', end_date: '2026-03-07' })
  assert.deepEqual(data.map(short), [
    ['fast', 2, '4.5', '2.5'],
    [null, 1, '0.25', '-3.75'],
    ['slow', 1, null, '0'],
  ])
  assert.deepEqual([total.requests, total.errors, total.total_cost, total.change], [4, 1, '4.75', '-1.25'])
  assert.deepEqual(total.before, { requests: 2, total_cost: '6' })
  assert.deepEqual([total.unpriced_requests, others, is_complete], [1, null, true])
})

test('spend by provider key, user, API key, person, model and provider', async () => {
  assert.deepEqual((await ask('provider_key')).data.map(short), [
    [keyA, 2, '3.25', '1.25'],
    [keyB, 1, '1.5', '1.5'],
    [null, 1, null, '-4'],
  ])
  assert.deepEqual((await ask('user')).data.map(short), [
    ['ada', 1, '3', '3'],
    [null, 3, '1.75', '-4.25'],
  ])
  const [key, playground] = (await ask('api_key')).data
  assert.deepEqual([...short(key), key.name], [own.id, 1, '3', '3', own.name])
  assert.deepEqual(short(playground), [null, 3, '1.75', '-4.25'])
  const people = (await ask('person')).data
  assert.deepEqual(
    people.map((each: Record<string, unknown>) => each['total_cost']),
    ['3', '1.75'],
  )
  assert.deepEqual((await ask('model')).data.map(short), [
    ['dear', 1, '3', '3'],
    ['gpt-6-sol', 3, '1.75', '-4.25'],
  ])
  assert.deepEqual((await ask('provider')).data.map(short), [['openai', 4, '4.75', '-1.25']])
})

test('the days of one route, provider key or tag are all there, and hold what its row of the period holds', async () => {
  const days = async (by: string, id: string) =>
    (await call(`/api/v1/usage/days?by=${by}&id=${encodeURIComponent(id)}&${week}`)).json
  const { data, is_complete } = await days('route', 'fast')
  assert.equal(is_complete, true)
  assert.deepEqual(
    data.map((day: Record<string, unknown>) => [day['date'], day['requests'], day['total_cost']]),
    [
      ['2026-03-08', 1, '3'],
      ...['09', '10', '11', '12', '13'].map((day) => [`2026-03-${day}`, 0, null]),
      ['2026-03-14', 1, '1.5'],
    ],
  )
  const requests = async (by: string, id: string) =>
    (await days(by, id)).data.map((day: { requests: number }) => day.requests)
  assert.deepEqual(await requests('provider_key', keyA), [1, 0, 1, 0, 0, 0, 0])
  assert.deepEqual(await requests('tag', 'team-a'), [1, 0, 1, 0, 0, 0, 0])
  assert.deepEqual(await requests('route', 'nobody'), [0, 0, 0, 0, 0, 0, 0])
  for (const bad of ['by=model&id=x', 'by=route', 'by=route&id=', 'by=route&id=%00', 'by=tag&id=a&model=b'])
    assert.equal((await call(`/api/v1/usage/days?${bad}&${week}`)).status, 400, bad)
})

test('a filter by person takes all keys that the person made, and nothing of somebody else', async () => {
  const made = (await product.call('/api/v1/keys', { json: { name: 'Laptop' } })).json
  const at = new Date('2026-06-02T10:00:00Z')
  await insertRows(database.pool, [
    newRow(groupId, at, { ...cost('1', '2'), api_key_id: made.id }),
    newRow(groupId, at, { ...cost('5', '0'), api_key_id: own.id }),
  ])
  const filtered = `start_date=2026-06-01&end_date=2026-06-03&api_key_id=person:${made.created_by}`
  const sums = (await call(`/api/v1/logs/summary?${filtered}`)).json
  assert.deepEqual([sums.requests, sums.total_cost], [1, '3'])
  const days = (await call(`/api/v1/analytics/daily?${filtered}`)).json.data
  assert.deepEqual(
    days.map((day: { requests: number }) => day.requests),
    [0, 1, 0],
  )
  const none = (await call(`/api/v1/logs?${week}&api_key_id=person:${randomUUID()}`)).json
  assert.deepEqual([none.total, none.data], [0, []])
  assert.equal((await call('/api/v1/logs?api_key_id=person:ada')).status, 400)
})

test('the log of a route has the requests that named it', async () => {
  const { total, data } = (await call(`/api/v1/logs?route=fast&${week}`)).json
  assert.deepEqual(
    [total, data.map((row: { started_at: string }) => row.started_at.slice(0, 10))],
    [2, ['2026-03-14', '2026-03-08']],
  )
  assert.equal((await call(`/api/v1/logs/summary?route=fast&${week}`)).json.total_cost, '4.5')
  assert.equal((await call(`/api/v1/logs?route=%00&${week}`)).status, 400)
})

test('a request counts for each of its tags once; what has none is told apart', async () => {
  const { data, others } = await ask('tag', '&limit=3')
  assert.deepEqual(data.map(short), [
    ['team-a', 2, '3.25', '3.25'],
    ['nightly', 1, '3', '3'],
    [null, 2, '1.5', '-0.5'],
  ])
  assert.equal(others, null)
})

test('PostgreSQL finds the tags that the gateway finds', async () => {
  const given = [
    null,
    {},
    { tags: null },
    { tags: 3 },
    { tags: { a: 'b' } },
    { tags: [' b ', 'a', 'b', '', 7, null, ['c']] },
    { tags: 'b,a , b,,' },
    { tags: ['x'.repeat(64), 'y'.repeat(65)] },
    { tags: Array.from({ length: 20 }, (_, n) => `tag ${20 - n}`) },
  ]
  for (const metadata of given) {
    const { rows } = await database.pool.query<{ tag: string }>(
      'select tag from usage.tags_of($1::jsonb) as tag',
      [metadata && JSON.stringify(metadata)],
    )
    assert.deepEqual(
      rows.map(({ tag }) => tag),
      tagsOf(metadata),
      JSON.stringify(metadata),
    )
  }
})

test('what is not listed is one row, and the sums stay whole', async () => {
  const { data, others } = await ask('route', '&limit=1')
  assert.deepEqual(data.map(short), [['fast', 2, '4.5', '2.5']])
  assert.deepEqual(
    [others.count, others.requests, others.total_cost, others.before.total_cost, others.change],
    [2, 2, '0.25', '4', '-3.75'],
  )
})

test('the rows that explain a change add up to it exactly', async () => {
  const { json } = await call(`/api/v1/usage/change?by=route&limit=1&${week}`)
  assert.deepEqual(json.total, { before: '6', now: '4.75', change: '-1.25' })
  assert.deepEqual(json.data, [{ id: null, name: null, before: '4', now: '0.25', change: '-3.75' }])
  assert.deepEqual(json.others, { count: 2, before: '2', now: '4.5', change: '2.5' })
  const other = await call(
    `/api/v1/usage/change?by=model&${week}&before_start_date=2026-03-15&before_end_date=2026-03-15`,
  )
  // The 15th cost $50 for gpt-6-sol.
  assert.deepEqual(other.json.total, { before: '50', now: '4.75', change: '-45.25' })
  assert.deepEqual(
    other.json.data.map((each: Record<string, unknown>) => [each['id'], each['change']]),
    [
      ['gpt-6-sol', '-48.25'],
      ['dear', '3'],
    ],
  )
})

test('a filter narrows sums that know it, and is refused where they do not', async () => {
  const { data } = await ask('api_key', '&model=dear')
  assert.deepEqual(data.map(short), [[own.id, 1, '3', '3']])
  for (const query of [
    `by=route&model=dear&${week}`,
    'by=colour',
    'by=model&start_date=2026-03-08&end_date=2026-03-07',
    'start_date=2020-01-01&end_date=2026-01-01',
    'start_date=0001-01-01&end_date=0001-01-01',
    'before_start_date=2026-03-08&before_end_date=2026-03-01',
    'limit=0',
    'limit=1001',
    'routes=fast',
  ])
    assert.equal((await call(`/api/v1/usage/spend?${query}`)).status, 400, query)
  assert.equal((await call(`/api/v1/usage/change?by=tag&${week}`)).status, 400)
})

test('a corrected cost changes these sums with its row', async () => {
  await database.pool.query(
    'update usage.usage_logs set input_cost = input_cost + 0.125 where group_id = $1 and id = $2',
    [groupId, dear.id],
  )
  assert.deepEqual((await ask('route')).data.map(short)[0], ['fast', 2, '4.625', '2.625'])
  await database.pool.query('update usage.usage_logs set input_cost = 1 where group_id = $1 and id = $2', [
    groupId,
    dear.id,
  ])
  assert.deepEqual((await ask('route')).data.map(short)[0], ['fast', 2, '4.5', '2.5'])
})

test('days from before these sums are summed from their rows, to the same; until then the answer says so', async () => {
  const all = async () =>
    (
      await database.pool.query(
        'select *, trim_scale(total_cost)::text as total_cost from usage.daily_parts order by group_id, kind, day, value',
      )
    ).rows
  const kept = await all()
  assert.ok(kept.length > 10)
  await database.pool.query(`delete from usage.daily_parts where day >= '2026-03-08'`)
  await database.pool.query('insert into usage.days_to_sum select distinct day from usage.daily')
  assert.equal((await ask('route')).is_complete, false)
  assert.equal((await ask('model')).is_complete, true, 'these sums were always there')
  await sumOlderDays(db)
  assert.deepEqual(await all(), kept)
  assert.equal((await ask('route')).is_complete, true)
})

test('a person sees the spend of the groups that they own, and of no other', async () => {
  const made = await product.call('/api/v1/groups', { json: { name: 'Second' } })
  assert.equal(made.status, 201)
  await insertRows(database.pool, [row('09', cost('7', '0'), made.json.id)])
  const { json } = await product.call(`/api/v1/usage/groups?${week}`)
  assert.deepEqual(
    json.data.map((each: Record<string, unknown>) => [each['name'], each['total_cost'], each['change']]),
    [
      ['Second', '7', '7'],
      [json.data[1].name, '4.75', '-1.25'],
    ],
  )
  assert.deepEqual([json.total.total_cost, json.total.change], ['11.75', '5.75'])
  await database.pool.query(`update access.memberships set role = 'admin' where group_id = $1`, [
    made.json.id,
  ])
  const owned = (await product.call(`/api/v1/usage/groups?${week}`)).json.data
  assert.equal(owned.length, 1)
  assert.equal((await call(`/api/v1/usage/groups?${week}`)).status, 403, 'a key acts in one group')
})

test('the forecast of an empty month says so', async () => {
  const { status, json } = await call('/api/v1/usage/forecast')
  assert.equal(status, 200)
  assert.deepEqual([json.spent, json.forecast, json.days_used], ['0', null, 0])
})
