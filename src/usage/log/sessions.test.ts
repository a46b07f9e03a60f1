import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { requestIdOf } from '#kernel/uuid'
import { startProduct } from '#test/product'
import type { LedgerRow } from '../row.ts'
import { createSessionUsage } from './sessions.ts'
import { insertRows, newRow } from './testing-rows.ts'

let close = async (): Promise<void> => undefined
after(() => close())
const product = await startProduct()
const database = openDatabase(product.target, await createLog({ level: 'silent', form: 'json' }))
close = () => database.close()
const { groupId } = product.first
const foreignGroup = randomUUID()
const call = (path: string) => product.call(path, { key: product.key })
const sessions = createSessionUsage(database.tables(), async () => undefined)

let minute = 0
const row = (given: Partial<LedgerRow>, group = groupId): LedgerRow =>
  newRow(group, new Date(Date.UTC(2026, 2, 1, 10, minute++)), { session_key: 'main', ...given })

const first = row({ input_cost: '0.002', output_cost: '0.0005' })
const second = row({ input_cost: '0.1', output_cost: '0.2', model: 'dear', subagent_key: 'helper' })
const refused = row({
  status_code: 429,
  input_cost: null,
  output_cost: null,
  prompt_tokens: 0,
  completion_tokens: 0,
  usage_source: 'none',
  error_message: 'slow down',
})
const third = row({ input_cost: '0.001', output_cost: '0', model: 'dear', subagent_key: 'other' })
// In another month, and so in another table.
const late = newRow(groupId, new Date('2026-04-02T00:00:00Z'), { session_key: 'main', output_cost: null })
const others = [
  row({ session_key: null }),
  row({ session_key: 'mains' }),
  row({ session_key: 'main' }, foreignGroup),
]
await insertRows(database.pool, [first, second, refused, third, late, ...others])

const ids = async (query: string): Promise<string[]> =>
  (await call(`/api/v1/logs?${query}`)).json.data.map(({ id }: { id: string }) => id)

test('the log of a session has the requests of the session and its subagents, newest first', async () => {
  const { json } = await call('/api/v1/logs?session=main')
  assert.equal(json.total, 5)
  assert.deepEqual(
    json.data.map(({ id }: { id: string }) => id),
    [late, third, refused, second, first].map(({ id }) => id),
  )
  assert.deepEqual([json.data[3].session_key, json.data[3].subagent_key], ['main', 'helper'])
})

test("the log of a subagent has its requests; another group's session has none", async () => {
  assert.deepEqual(await ids('session=helper'), [second.id])
  assert.deepEqual(await ids('session=nobody'), [])
  assert.deepEqual(await sessions.costs(randomUUID(), ['main']), new Map())
})

test('other filters and pages hold within a session', async () => {
  assert.deepEqual(await ids('session=main&model=dear'), [third.id, second.id])
  assert.deepEqual(await ids('session=main&status=error'), [refused.id])
  assert.deepEqual(await ids('session=main&start_date=2026-04-01'), [late.id])
  assert.deepEqual(await ids('session=main&end_date=2026-03-31&limit=1'), [third.id])
  assert.deepEqual(await ids('session=main&offset=1&limit=2'), [third.id, refused.id])
  const page = (await call('/api/v1/logs?session=main&limit=2')).json
  assert.deepEqual(await ids(`session=main&limit=2&cursor=${page.next_cursor}`), [refused.id, second.id])
})

test('a session key of 201 characters or none is refused', async () => {
  assert.equal((await call(`/api/v1/logs?session=${'a'.repeat(201)}`)).status, 400)
  assert.equal((await call('/api/v1/logs?session=')).status, 400)
})

test('the totals of a session are those of its rows', async () => {
  const { json } = await call('/api/v1/logs/summary?session=main')
  // 0.002 + 0.1 + 0.001 + 0.0001 (late), and 0.0005 + 0.2 + 0.
  assert.deepEqual([json.input_cost, json.output_cost, json.total_cost], ['0.1031', '0.2005', '0.3036'])
  assert.deepEqual([json.requests, json.errors, json.unpriced_requests], [5, 1, 1])
  assert.equal(json.prompt_tokens, 400)
})

test('an export of a session has its rows and keys', async () => {
  const csv = (await call('/api/v1/logs/export?session=main')).text.trimEnd().split('\r\n')
  assert.equal(csv.length, 6)
  assert.match(csv[0] ?? '', /,session_key,subagent_key,/)
  assert.match(csv[4] ?? '', /,main,helper,,,0,,$/)
  assert.match(csv[5] ?? '', /,main,,,,0,,$/)
  const exported = JSON.parse((await call('/api/v1/logs/export?session=main&format=json')).text)
  assert.deepEqual(
    exported.map((each: { subagent_key: string | null }) => each.subagent_key),
    [null, 'other', null, 'helper', null],
  )
})

test('costs are exact by model, the dearest first; a session includes its subagents', async () => {
  const costs = await sessions.costs(groupId, ['main', 'helper', 'nobody'])
  assert.deepEqual(
    costs,
    new Map([
      [
        'main',
        [
          { model: 'dear', requests: 2, unpriced: 0, cost: '0.301' },
          { model: 'gpt-6-sol', requests: 3, unpriced: 1, cost: '0.0026' },
        ],
      ],
      ['helper', [{ model: 'dear', requests: 1, unpriced: 0, cost: '0.3' }]],
    ]),
  )
})

test('the totals of several sessions count a request once', async () => {
  assert.deepEqual(await sessions.totals(groupId, ['main', 'helper', 'nobody']), [
    { model: 'dear', requests: 2, unpriced: 0, cost: '0.301' },
    { model: 'gpt-6-sol', requests: 3, unpriced: 1, cost: '0.0026' },
  ])
  assert.deepEqual(await sessions.totals(randomUUID(), ['main']), [])
})

test('the calls of a session have what tells them from its messages', async () => {
  const calls = await sessions.calls(groupId, 'main')
  assert.deepEqual(
    calls.map(({ requestId, statusCode, cost }) => [requestId, statusCode, cost]),
    [
      [requestIdOf(late.id), 200, '0.0001'],
      [requestIdOf(third.id), 200, '0.001'],
      [requestIdOf(refused.id), 429, null],
      [requestIdOf(second.id), 200, '0.3'],
      [requestIdOf(first.id), 200, '0.0025'],
    ],
  )
  assert.equal(calls[2]?.errorMessage, 'slow down')
  assert.deepEqual(
    [calls[3]?.subagentKey, calls[3]?.promptTokens, calls[3]?.completionTokens],
    ['helper', 100, 20],
  )
})

test('costs that may be some seconds old do not wait for the journal', async () => {
  const waiting = createSessionUsage(database.tables(), () => new Promise(() => undefined))
  assert.deepEqual(await waiting.costs(groupId, ['main'], false), await sessions.costs(groupId, ['main']))
})
