import { sql, type Kysely, type RawBuilder } from 'kysely'
import { matchesSums, type Filter } from '../log/filter.ts'
import { dayText } from '../log/id-time.ts'
import { longSums, onDays } from '../log/spans.ts'
import type { UsageTables } from '../tables.ts'
import type { PartDimension, SpendDays, SpendDimension } from './contract.ts'

type Db = Kysely<UsageTables>

/** A filter with two ends, which are those of days. */
export type WholeDays = Filter & { from: Date; to: Date }

/** What is summed: a period and the one before it, and what keys are summed as. */
export interface SpendQuestion {
  by: SpendDimension
  now: WholeDays
  before: WholeDays
  /** By the id of a key: the person whose it is, or the agent whose run it is. */
  keys: ReadonlyMap<string, string>
}

/** What one value of a dimension used in both periods. */
export interface PartSums {
  requests: number
  errors: number
  unpriced: number
  tokens: number
  cost: string | null
  requestsBefore: number
  costBefore: string | null
}

export interface Part extends PartSums {
  id: string | null
}

export interface Parts {
  total: PartSums
  /** How many values there are, listed or not. */
  count: number
  parts: Part[]
}

/** Of keys whose person is gone. */
export const unknownPerson = 'unknown'

/** Dimensions with sums of their own; the others are in the sums by hour, day and month. */
const ownSums: Partial<Record<SpendDimension, string>> = {
  provider_key: 'provider_key',
  route: 'route',
  user: 'user',
  tag: 'tagged',
}

export const hasOwnSums = (by: SpendDimension): boolean => ownSums[by] !== undefined

/** The parts that cost most, or whose cost changed most, and the whole; both from one moment. */
export async function readParts(
  db: Db,
  question: SpendQuestion,
  order: 'cost' | 'change',
  limit: number,
): Promise<Parts> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (transaction) => {
      const whole = await sql<SumRow>`
        select ${sums} from (${inBoth(question, wholeOf)}) as parts`.execute(transaction)
      const listed = await sql<SumRow & { id: string | null; count: string }>`
        select id, ${sums}, count(*) over () as count from (${inBoth(question, partsOf)}) as parts
        group by id having sum(requests) > 0 order by ${ranks[order]} desc nulls last, 2 desc, id
        limit ${limit}`.execute(transaction)
      return {
        total: toSums(whole.rows[0] as SumRow),
        count: Number(listed.rows[0]?.count ?? 0),
        parts: listed.rows.map((row) => ({ id: row.id, ...toSums(row) })),
      }
    })
}

/** The days on which something was spent by one value of a dimension with sums of its own. */
export async function readDays(
  db: Db,
  filter: WholeDays,
  by: PartDimension,
  id: string,
): Promise<SpendDays['data']> {
  const { rows } = await sql<Record<'requests' | 'errors' | 'unpriced' | 'tokens' | 'date', string> & Cost>`
    select day::text as date, requests, errors, unpriced_requests as unpriced,
      prompt_tokens + completion_tokens as tokens, trim_scale(total_cost) as cost
    from usage.daily_parts where kind = ${by} and value = ${id} and ${onDays(filter)} order by day`.execute(
    db,
  )
  return rows.map(({ date, requests, errors, unpriced, tokens, cost }) => ({
    ...{ date, requests: Number(requests), errors: Number(errors), unpriced_requests: Number(unpriced) },
    ...{ total_tokens: Number(tokens), total_cost: requests === unpriced ? null : cost },
  }))
}

interface Cost {
  cost: string | null
}

/** Of the whole group, in both periods. */
export async function readWhole(db: Db, question: Pick<SpendQuestion, 'now' | 'before'>): Promise<PartSums> {
  const { rows } = await sql<SumRow>`
    select ${sums} from (${inBoth(question, wholeOf)}) as parts`.execute(db)
  return toSums(rows[0] as SumRow)
}

const ranks = {
  cost: sql`sum(cost) filter (where not is_before)`,
  change: sql`abs(coalesce(sum(cost) filter (where not is_before), 0) - coalesce(sum(cost) filter (where is_before), 0))`,
}

interface SumRow {
  requests: string
  errors: string
  unpriced: string
  tokens: string
  cost: string | null
  requests_before: string
  unpriced_before: string
  cost_before: string | null
}

const sums = sql`
  coalesce(sum(requests) filter (where not is_before), 0) as requests,
  coalesce(sum(errors) filter (where not is_before), 0) as errors,
  coalesce(sum(unpriced) filter (where not is_before), 0) as unpriced,
  coalesce(sum(tokens) filter (where not is_before), 0) as tokens,
  trim_scale(sum(cost) filter (where not is_before)) as cost,
  coalesce(sum(requests) filter (where is_before), 0) as requests_before,
  coalesce(sum(unpriced) filter (where is_before), 0) as unpriced_before,
  trim_scale(sum(cost) filter (where is_before)) as cost_before`

/** What is left of a sum after all parts are taken from it is nought, and not unknown, so the counts decide. */
function toSums(row: SumRow): PartSums {
  const [requests, unpriced] = [Number(row.requests), Number(row.unpriced)]
  const requestsBefore = Number(row.requests_before)
  return {
    requests,
    errors: Number(row.errors),
    unpriced,
    tokens: Number(row.tokens),
    cost: requests === unpriced ? null : row.cost,
    requestsBefore,
    costBefore: requestsBefore === Number(row.unpriced_before) ? null : row.cost_before,
  }
}

type Select = (question: SpendQuestion, filter: Filter, isBefore: boolean) => RawBuilder<unknown>

function inBoth(
  question: Pick<SpendQuestion, 'now' | 'before'> & Partial<SpendQuestion>,
  select: Select,
): RawBuilder<unknown> {
  const whole: SpendQuestion = { by: 'model', keys: new Map(), ...question }
  return sql`${select(whole, question.now, false)} union all ${select(whole, question.before, true)}`
}

const columns = sql`case when is_error then requests else 0 end as errors, requests, unpriced_requests as unpriced,
  prompt_tokens + completion_tokens as tokens, coalesce(input_cost + output_cost, input_cost, output_cost) as cost`

const wholeOf: Select = (_question, filter, isBefore) =>
  sql`select null::text as id, ${isBefore}::boolean as is_before, ${columns}
    from ${longSums(filter)} where ${matchesSums(filter)}`

const partsOf: Select = (question, filter, isBefore) => {
  const kind = ownSums[question.by]
  if (kind === undefined)
    return sql`select ${idOf(question)} as id, ${isBefore}::boolean as is_before, ${columns}
      from ${longSums(filter)} where ${matchesSums(filter)}`
  // What has no value is the whole without what has one.
  return sql`${ofKind(filter, question.by, isBefore, sql`value`, sql``)}
    union all ${wholeOf(question, filter, isBefore)}
    union all ${ofKind(filter, kind, isBefore, sql`null`, sql`-`)}`
}

function ofKind(
  filter: Filter,
  kind: string,
  isBefore: boolean,
  id: RawBuilder<unknown>,
  sign: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`select ${id}::text as id, ${isBefore}::boolean as is_before, ${sign}errors as errors,
      ${sign}requests as requests, ${sign}unpriced_requests as unpriced,
      ${sign}(prompt_tokens + completion_tokens) as tokens, ${sign}total_cost as cost
    from usage.daily_parts where kind = ${kind} and ${onDays(filter)}`
}

function idOf({ by, keys }: SpendQuestion): RawBuilder<unknown> {
  if (by === 'model') return sql`model`
  if (by === 'provider') return sql`provider`
  const names = JSON.stringify(Object.fromEntries(keys))
  const orElse =
    by === 'person' ? sql`case when api_key_id is not null then ${unknownPerson} end` : sql`api_key_id::text`
  return sql`coalesce(${names}::jsonb ->> api_key_id::text, ${orElse})`
}

/** Whether every day of both periods has its sums. */
export async function isSummed(
  db: Db,
  { now, before }: Pick<SpendQuestion, 'now' | 'before'>,
): Promise<boolean> {
  const isIn = ({ from, to }: WholeDays) =>
    sql`(day >= ${dayText(from)}::date and day < ${dayText(to)}::date)`
  const { rows } = await sql`
    select 1 from usage.days_to_sum where ${isIn(now)} or ${isIn(before)} limit 1`.execute(db)
  return rows.length === 0
}
