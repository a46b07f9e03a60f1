import { sql, type Kysely, type RawBuilder } from 'kysely'
import { lowestId } from '#kernel/uuid'
import type { UsageTables } from '../tables.ts'

type Db = Kysely<UsageTables>

/** Requests of a group that started in a span, and of some subject. */
export interface SpentFilter {
  readonly groupId: string
  readonly startedFrom: Date
  readonly startedBefore: Date | null
  readonly apiKeyIds?: readonly string[]
  readonly userLabel?: string
  readonly provider?: string
  readonly model?: string
  /** With `%` for any characters. */
  readonly modelLike?: string
  readonly tag?: string
}

export interface Spent {
  /** US dollars. */
  cost: string
  tokens: string
  /** Without those that were refused before they were sent. */
  requests: string
}

const sums = sql`
  coalesce(trim_scale(sum(input_cost) + sum(output_cost)), 0) as cost,
  coalesce(sum(prompt_tokens) + sum(completion_tokens), 0) as tokens,
  count(provider_key_id) as requests`

function matches(filter: SpentFilter): RawBuilder<unknown> {
  const { groupId, startedFrom, startedBefore } = filter
  const conditions = [sql`group_id = ${groupId}`, sql`id >= ${lowestId(startedFrom)}`]
  if (startedBefore) conditions.push(sql`id < ${lowestId(startedBefore)}`)
  if (filter.apiKeyIds) conditions.push(sql`api_key_id = any (${filter.apiKeyIds}::uuid[])`)
  if (filter.userLabel !== undefined) conditions.push(sql`user_label = ${filter.userLabel}`)
  if (filter.provider !== undefined) conditions.push(sql`provider = ${filter.provider}`)
  if (filter.model !== undefined) conditions.push(sql`model = ${filter.model}`)
  if (filter.modelLike !== undefined) conditions.push(sql`model like ${filter.modelLike}`)
  if (filter.tag !== undefined) conditions.push(hasTag(filter.tag))
  return sql.join(conditions, sql` and `)
}

/** By the rule of `tagsOf` in the gateway. Most requests have no tags, and need no call for that. */
const hasTag = (tag: string): RawBuilder<unknown> =>
  sql`(metadata -> 'tags' is not null and ${tag} in (select usage.tags_of(metadata)))`

/** What requests used that ended before a moment. */
export async function spentBefore(db: Db, filter: SpentFilter, endedBefore: Date): Promise<Spent> {
  const { rows } = await sql<Spent>`
    select ${sums} from usage.usage_logs where ${matches(filter)} and ended_at < ${endedBefore}
  `.execute(db)
  return rows[0] as Spent
}

/** What requests used, by when they ended, in steps of `stepMs`. */
export async function spentByEnd(
  db: Db,
  filter: SpentFilter,
  { from, to, stepMs }: { from: Date; to: Date; stepMs: number },
): Promise<(Spent & { from: Date })[]> {
  const { rows } = await sql<Spent & { from: Date }>`
    select date_bin(${stepMs} * interval '1 millisecond', ended_at, timestamptz 'epoch') as "from", ${sums}
    from usage.usage_logs where ${matches(filter)} and ended_at >= ${from} and ended_at < ${to} group by 1
  `.execute(db)
  return rows
}

export interface SpentRequest {
  startedAt: Date
  durationMs: number
  cost: string | null
  tokens: string
}

/** The newest requests that were sent, at most `most`, oldest first. */
export async function spentRequests(db: Db, filter: SpentFilter, most: number): Promise<SpentRequest[]> {
  const { rows } = await sql<SpentRequest>`
    select started_at as "startedAt", duration_ms as "durationMs",
      trim_scale(input_cost + output_cost) as cost, prompt_tokens + completion_tokens as tokens
    from usage.usage_logs where ${matches(filter)} and provider_key_id is not null
    order by id desc limit ${most}
  `.execute(db)
  return rows.reverse()
}
