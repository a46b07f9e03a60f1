import { sql, type Kysely, type RawBuilder } from 'kysely'
import { lowestId, requestIdOf } from '#kernel/uuid'
import type { UsageTables } from '../tables.ts'
import { all, matchesLog, type Filter } from './filter.ts'
import type { IdRange, LogRow, MonthCount } from './log-store.ts'
import { rowColumns } from './spans.ts'

type Db = Kysely<UsageTables>

/** What the requests of a session for one model cost. */
export interface ModelCost {
  model: string
  requests: number
  /** Requests without a known price: they are not part of the cost. */
  unpriced: number
  /** US dollars; null when no request had a known price. */
  cost: string | null
}

/** A request of a session. */
export interface SessionCall {
  requestId: string
  apiKeyId: string | null
  subagentKey: string | null
  model: string
  endpoint: string
  startedAt: Date
  endedAt: Date
  statusCode: number
  errorMessage: string | null
  promptTokens: number
  completionTokens: number
  cost: string | null
}

const totalCost = sql`coalesce(input_cost + output_cost, input_cost, output_cost)`

/**
 * The rows of a session or of a subagent by their own index, where the order of the log would read all of the group's;
 * or those of a few ids.
 */
export function sessionRows(filter: Filter, { low, high, limit, offset }: IdRange): RawBuilder<LogRow> {
  return sql<LogRow>`
    with wanted as materialized (
      select * from usage.usage_logs
      where ${isMatching(filter)} and id >= ${low}::uuid and id < ${high}::uuid
    )
    select * from wanted order by id desc limit ${limit} offset ${offset}`
}

/** How many rows there are, and in which time, where no sum knows. */
export async function countMatching(db: Db, filter: Filter): Promise<MonthCount[]> {
  const { rows } = await sql<{ matched: string; first: Date | null; last: Date | null }>`
    select count(*) as matched, min(started_at) as first, max(started_at) as last
    from usage.usage_logs where ${isMatching(filter)}`.execute(db)
  const [row] = rows
  if (!row?.first || !row.last) return []
  const matched = Number(row.matched)
  return [{ from: row.first, to: new Date(row.last.getTime() + 1), matched, all: matched }]
}

/** The rows as if each were a sum. */
export function matchingSums(filter: Filter): RawBuilder<unknown> {
  return sql`(
    select ${rowColumns} from usage.usage_logs where ${isMatching(filter)}
  ) as sums`
}

function isMatching(filter: Filter): RawBuilder<boolean> {
  const { groupId, from, to } = filter
  return all([
    sql`group_id = ${groupId}`,
    matchesLog(filter),
    from && sql`id >= ${lowestId(from)}::uuid`,
    to && sql`id < ${lowestId(to)}::uuid`,
  ])
}

/** The dearest model first. A session's costs include those of its subagents. */
export async function sumSessions(
  db: Db,
  groupId: string,
  keys: readonly string[],
): Promise<({ key: string } & ModelCost)[]> {
  const { rows } = await sql<{ key: string; model: string; cost: string | null } & Counts>`
    select key, model, count(*) as requests, count(*) filter (where cost is null) as unpriced,
      trim_scale(sum(cost)) as cost
    from (
      select session_key as key, model, ${totalCost} as cost from usage.usage_logs
      where group_id = ${groupId} and session_key = any(${keys}::text[])
      union all
      select subagent_key, model, ${totalCost} from usage.usage_logs
      where group_id = ${groupId} and subagent_key = any(${keys}::text[])
    ) as calls
    group by key, model order by sum(calls.cost) desc nulls last, count(*) desc, model`.execute(db)
  return rows.map(({ requests, unpriced, ...row }) => ({
    ...row,
    requests: Number(requests),
    unpriced: Number(unpriced),
  }))
}

/** The same, each request once: a subagent's session may be asked for beside the one that started it. */
export async function sumRequests(db: Db, groupId: string, keys: readonly string[]): Promise<ModelCost[]> {
  const { rows } = await sql<{ model: string; cost: string | null } & Counts>`
    select model, count(*) as requests, count(*) filter (where cost is null) as unpriced,
      trim_scale(sum(cost)) as cost
    from (
      select model, ${totalCost} as cost from usage.usage_logs
      where group_id = ${groupId}
        and (session_key = any(${keys}::text[]) or subagent_key = any(${keys}::text[]))
    ) as calls
    group by model order by sum(calls.cost) desc nulls last, count(*) desc, model`.execute(db)
  return rows.map(({ requests, unpriced, ...row }) => ({
    ...row,
    requests: Number(requests),
    unpriced: Number(unpriced),
  }))
}

interface Counts {
  requests: string
  unpriced: string
}

/** The newest first. */
export async function listCalls(db: Db, groupId: string, key: string, limit: number): Promise<SessionCall[]> {
  const { rows } = await sql<CallRow>`
    with wanted as materialized (
      select * from usage.usage_logs
      where group_id = ${groupId} and (session_key = ${key} or subagent_key = ${key})
    )
    select id, api_key_id, subagent_key, model, endpoint, started_at, ended_at, status_code, error_message, prompt_tokens,
      completion_tokens, trim_scale(${totalCost}) as cost
    from wanted order by id desc limit ${limit}`.execute(db)
  return rows.map((row) => ({
    requestId: requestIdOf(row.id),
    apiKeyId: row.api_key_id,
    subagentKey: row.subagent_key,
    model: row.model,
    endpoint: row.endpoint,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    statusCode: row.status_code,
    errorMessage: row.error_message,
    promptTokens: Number(row.prompt_tokens),
    completionTokens: Number(row.completion_tokens),
    cost: row.cost,
  }))
}

type CallRow = Pick<
  LogRow,
  | 'id'
  | 'api_key_id'
  | 'subagent_key'
  | 'model'
  | 'endpoint'
  | 'started_at'
  | 'ended_at'
  | 'status_code'
  | 'error_message'
  | 'prompt_tokens'
  | 'completion_tokens'
> & { cost: string | null }
