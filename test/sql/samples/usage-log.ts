import { lowestId } from '#kernel/uuid'
import { exportRows } from '../../../src/usage/log/export.ts'
import type { Filter } from '../../../src/usage/log/filter.ts'
import * as log from '../../../src/usage/log/log-store.ts'
import { ensurePartitions } from '../../../src/usage/log/partitions.ts'
import { readPercentiles } from '../../../src/usage/log/percentiles.ts'
import { readPage } from '../../../src/usage/log/read-log.ts'
import { deleteBefore } from '../../../src/usage/log/retention.ts'
import { createLogSearchKind } from '../../../src/usage/log/search-kind.ts'
import { countByRoute } from '../../../src/usage/log/route-shares-store.ts'
import * as spent from '../../../src/usage/log/spent-store.ts'
import * as sessions from '../../../src/usage/log/session-store.ts'
import * as sums from '../../../src/usage/log/sums-store.ts'
import { sumOlderDays } from '../../../src/usage/spend/older-days.ts'
import * as spend from '../../../src/usage/spend/parts-store.ts'
import type { UsageTables } from '../../../src/usage/tables.ts'
import type { Recorder, Sample } from '../snapshot.ts'
import { at, id } from './values.ts'

const wide: Filter = {
  groupId: id,
  from: undefined,
  to: undefined,
  models: undefined,
  providers: undefined,
  apiKeyIds: undefined,
  isError: undefined,
  words: undefined,
  session: undefined,
  ids: undefined,
  route: undefined,
  minAttempts: undefined,
}

/** Every condition, and a time that has whole months and days at both ends. */
const narrow: Filter = {
  groupId: id,
  from: new Date('2026-01-15'),
  to: new Date('2026-04-15'),
  models: ['model'],
  providers: ['provider'],
  apiKeyIds: [id],
  isError: true,
  words: undefined,
  session: undefined,
  ids: undefined,
  route: undefined,
  minAttempts: undefined,
}

/** From within an hour to within an hour, by a text. */
const byText: Filter = {
  ...wide,
  from: new Date('2026-01-15T08:30:00Z'),
  to: new Date('2026-04-15T09:30:00Z'),
  words: { text: 'word', apiKeyIds: [id] },
}

const month = {
  since: new Date('2026-02-01'),
  till: new Date('2026-03-01'),
  matched: '10',
  every: '1000',
}

export const usageLog: Sample = async (recorder) => {
  await readSums(recorder)
  await readLog(recorder)
  await readSpend(recorder)
  await readSessions(recorder)
  await readSpent(recorder)
  await changeTables(recorder)
}

async function readSums({ tables, answer }: Recorder): Promise<void> {
  const db = tables<UsageTables>()
  for (const filter of [
    wide,
    narrow,
    byText,
    { ...narrow, apiKeyIds: [null] },
    { ...narrow, apiKeyIds: [null, id] },
  ]) {
    await sums.sumAll(db, filter)
    await log.countMonths(db, filter)
  }
  for (const by of ['model', 'provider'] as const) await sums.sumBy(db, wide, by)
  await sums.sumByKey(db, wide, new Map([[id, 'agent:data-engineer']]))
  await sums.sumDays(db, narrow)
  answer([], [])
  await sums.sumHours(db, narrow)
}

async function readLog({ tables, answer }: Recorder): Promise<void> {
  const db = tables<UsageTables>()
  const newest = { before: undefined, offset: 0 }
  answer([month])
  await readPage(db, wide, newest, 10)
  answer([month], [{ cell: '1', matched: '10' }])
  await readPage(db, narrow, newest, 10)
  answer([month], [{ cell: '1', matched: '10' }])
  await readPercentiles(db, narrow)
  await log.findRow(db, id, id)
  answer([])
  await log.findPrices(db, [id])

  await countByRoute(db, id, lowestId(at))

  for (const format of ['csv', 'json'] as const)
    for (const guardFormulas of [true, false]) {
      answer([month], [{ text: '', count: 1, last: id }])
      for await (const text of exportRows(db, wide, { format, guardFormulas })) void text
    }

  const kind = createLogSearchKind(db)
  answer([], [])
  await kind.changed(null, 10)
  await kind.missing([{ id: 'document', at }])
}

async function readSpend({ tables, answer }: Recorder): Promise<void> {
  const db = tables<UsageTables>()
  const days = (from: string, to: string) => ({ ...wide, from: new Date(from), to: new Date(to) })
  const both = { now: days('2026-02-01', '2026-03-01'), before: days('2026-01-04', '2026-02-01') }
  for (const by of ['model', 'api_key', 'person', 'route', 'tag'] as const) {
    answer([noSpend], [])
    await spend.readParts(db, { ...both, by, keys: new Map([[id, 'name']]) }, 'cost', 10)
  }
  answer([noSpend], [])
  await spend.readParts(db, { ...both, by: 'provider', keys: new Map() }, 'change', 10)
  answer([noSpend])
  await spend.readWhole(db, both)
  await spend.isSummed(db, both)
  await spend.readDays(db, both.now, 'route', 'fast')
  answer([{ day: '2026-02-01' }], [], [])
  await sumOlderDays(db)
}

const noSpend = {
  ...{ requests: '0', errors: '0', unpriced: '0', tokens: '0', cost: null },
  ...{ requests_before: '0', unpriced_before: '0', cost_before: null },
}

async function readSessions({ tables, answer }: Recorder): Promise<void> {
  const db = tables<UsageTables>()
  const count = { matched: '10', first: at, last: at }
  for (const filter of [
    { ...wide, session: 'session' },
    { ...narrow, session: 'session' },
    { ...wide, ids: { first: id, last: id } },
    { ...wide, route: 'fast' },
    { ...narrow, minAttempts: 2 },
  ]) {
    answer([count])
    await readPage(db, filter, { before: undefined, offset: 0 }, 10)
    await sums.sumAll(db, filter)
  }
  answer([], [], [])
  await sessions.sumSessions(db, id, ['session'])
  await sessions.sumRequests(db, id, ['session'])
  await sessions.listCalls(db, id, 'session', 10)
}

async function readSpent({ tables }: Recorder): Promise<void> {
  const db = tables<UsageTables>()
  const all = { groupId: id, startedFrom: at, startedBefore: null }
  const one = { ...all, startedBefore: at, apiKeyIds: [id], userLabel: 'ada', provider: 'openai' }
  for (const filter of [all, { ...one, model: 'm', modelLike: 'm%', tag: 'tag' }]) {
    await spent.spentBefore(db, filter, at)
    await spent.spentByEnd(db, filter, { from: at, to: at, stepMs: 10_000 })
    await spent.spentRequests(db, filter, 10)
  }
}

async function changeTables({ pool, answer }: Recorder): Promise<void> {
  answer([], [])
  await ensurePartitions(pool, at, at, 30)

  const partition = (from: string, to: string): object => ({
    table: `usage.usage_logs_${from.replaceAll('-', '')}`,
    bound: `FOR VALUES FROM ('${lowestId(new Date(from))}') TO ('${lowestId(new Date(to))}')`,
  })
  answer([], [partition('2025-12-01', '2026-01-01'), partition('2026-01-01', '2026-02-01')])
  await deleteBefore(pool, at)
}
