import { sql, type RawBuilder } from 'kysely'
import { invalid } from '#kernel/errors'
import type { LogFilter } from '../contract.ts'
import type { LogNames } from '../deps.ts'
import { dayMs, dayOf, dayText, monthFrom, monthOf } from './id-time.ts'

/** A parsed filter: days are whole UTC days, and `to` is the first moment after them. */
export interface Filter {
  groupId: string
  from: Date | undefined
  to: Date | undefined
  model: string | undefined
  provider: string | undefined
  /** Null: requests without a key. */
  apiKeyId: string | null | undefined
  isError: boolean | undefined
  /** The key of a session or of a subagent. The sums do not know it: such a filter reads rows. */
  session: string | undefined
}

/** Neither an id nor the name of a month can be made of every day; there are no requests before and after these. */
const [firstDay, lastDay] = [dayOf('1970-01-01'), dayOf('9990-12-31')]
const storable = (day: Date): Date => (day < firstDay ? firstDay : day > lastDay ? lastDay : day)

export function parseFilter(
  groupId: string,
  input: LogFilter,
  resolveProvider: LogNames['resolveProvider'],
): Filter {
  const from = input.start_date === undefined ? undefined : storable(dayOf(input.start_date))
  const last = input.end_date === undefined ? undefined : storable(dayOf(input.end_date))
  if (from && last && last < from) throw invalid('"end_date" lies before "start_date".', 'end_date')
  return {
    groupId,
    from,
    to: last && new Date(last.getTime() + dayMs),
    model: input.model,
    // A provider that was removed is no longer known, but its requests are still in the log.
    provider: input.provider && (resolveProvider(groupId, input.provider) ?? input.provider),
    apiKeyId: input.api_key_id === 'none' ? null : input.api_key_id,
    isError: input.status && input.status === 'error',
    session: input.session,
  }
}

/** True when the filter has a condition besides time. */
export function isNarrow({ model, provider, apiKeyId, isError }: Filter): boolean {
  return [model, provider, apiKeyId, isError].some((value) => value !== undefined)
}

/** The conditions of a filter, except group and time, on `usage.daily` and `usage.hourly`. */
export function matchesSums(filter: Filter): RawBuilder<boolean> {
  const { isError } = filter
  return all([...shared(filter), isError === undefined ? undefined : sql`is_error = ${isError}`])
}

/** The same on `usage.usage_logs`. */
export function matchesLog(filter: Filter): RawBuilder<boolean> {
  const { isError, session } = filter
  return all([
    ...shared(filter),
    isError === undefined ? undefined : sql`(status_code >= 400) = ${isError}`,
    session === undefined ? undefined : sql`(session_key = ${session} or subagent_key = ${session})`,
  ])
}

function shared({ model, provider, apiKeyId }: Filter): (RawBuilder<unknown> | undefined)[] {
  return [
    model === undefined ? undefined : sql`model = ${model}`,
    provider === undefined ? undefined : sql`provider = ${provider}`,
    apiKeyId === undefined
      ? undefined
      : apiKeyId === null
        ? sql`api_key_id is null`
        : sql`api_key_id = ${apiKeyId}`,
  ]
}

/** The group and the days of a filter on `usage.daily`. */
export function onDays({ groupId, from, to }: Filter): RawBuilder<boolean> {
  return all([
    sql`group_id = ${groupId}`,
    from && sql`day >= ${dayText(from)}::date`,
    to && sql`day < ${dayText(to)}::date`,
  ])
}

/**
 * The sums of a filter's group and time, from as few rows as can be: whole months, and days at the two ends. `since` is
 * the first day of each, and `is_month` says which it is.
 */
export function longSums(filter: Filter): RawBuilder<unknown> {
  const { groupId, from, to } = filter
  const first = from && monthFrom(from)
  const last = to && monthOf(to)
  const group = sql`group_id = ${groupId}`
  const months = all([
    group,
    first && sql`month >= ${dayText(first)}::date`,
    last && sql`month < ${dayText(last)}::date`,
  ])
  const parts = [
    sql`select ${sumColumns}, month as since, true as is_month from usage.monthly where ${months}`,
  ]
  const hasMonths = !first || !last || first < last
  const head = from && first && (hasMonths ? { from, to: first } : { from, to })
  const tail = to && last && hasMonths ? { from: last, to } : undefined
  for (const part of [head, tail])
    if (part && (!part.to || part.from < part.to))
      parts.push(
        sql`select ${sumColumns}, day as since, false as is_month from usage.daily where ${onDays({ ...filter, ...part })}`,
      )
  return sql`(${sql.join(hasMonths ? parts : parts.slice(1), sql` union all `)}) as sums`
}

const sumColumns = sql.raw(
  [
    ...['group_id', 'api_key_id', 'provider', 'model', 'is_error', 'requests', 'unpriced_requests'],
    ...['estimated_requests', 'prompt_tokens', 'completion_tokens', 'cached_tokens', 'cache_write_tokens'],
    ...['reasoning_tokens', 'input_cost', 'output_cost', 'duration_ms'],
  ].join(', '),
)

/** The group and the hours of a filter on `usage.hourly`. */
export function onHours({ groupId, from, to }: Filter): RawBuilder<boolean> {
  return all([sql`group_id = ${groupId}`, from && sql`hour >= ${from}`, to && sql`hour < ${to}`])
}

export function all(conditions: (RawBuilder<unknown> | undefined)[]): RawBuilder<boolean> {
  const given = conditions.filter((condition) => condition !== undefined)
  return given.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(given, sql` and `)})`
}
