import { sql, type RawBuilder } from 'kysely'
import { invalid } from '#kernel/errors'
import type { LogFilter } from '../contract.ts'
import { dayMs, dayOf, dayText } from './id-time.ts'

/** What is asked for, understood: days are whole UTC days, `to` is the first moment after them. */
export interface Filter {
  groupId: string
  from: Date | undefined
  to: Date | undefined
  model: string | undefined
  provider: string | undefined
  /** Null: requests without a key. */
  apiKeyId: string | null | undefined
  isError: boolean | undefined
}

/** The id for a provider's id or the specification's word for it. */
export type ResolveProvider = (groupId: string, word: string) => string | undefined

export function understand(groupId: string, asked: LogFilter, resolveProvider: ResolveProvider): Filter {
  const from = asked.start_date === undefined ? undefined : dayOf(asked.start_date)
  const last = asked.end_date === undefined ? undefined : dayOf(asked.end_date)
  if (from && last && last < from) throw invalid('"end_date" lies before "start_date".', 'end_date')
  return {
    groupId,
    from,
    to: last && new Date(last.getTime() + dayMs),
    model: asked.model,
    // A provider that was removed is no longer known, but its requests are still in the log.
    provider: asked.provider && (resolveProvider(groupId, asked.provider) ?? asked.provider),
    apiKeyId: asked.api_key_id === 'none' ? null : asked.api_key_id,
    isError: asked.status && asked.status === 'error',
  }
}

/** Whether anything but the time is asked for. */
export function isNarrow({ model, provider, apiKeyId, isError }: Filter): boolean {
  return [model, provider, apiKeyId, isError].some((value) => value !== undefined)
}

/** The conditions of a filter, but for group and time, on `usage.daily` and `usage.hourly`. */
export function ofSums(filter: Filter): RawBuilder<boolean> {
  const { isError } = filter
  return all([...shared(filter), isError === undefined ? undefined : sql`is_error = ${isError}`])
}

/** The same on `usage.usage_logs`. */
export function ofLog(filter: Filter): RawBuilder<boolean> {
  const { isError } = filter
  return all([...shared(filter), isError === undefined ? undefined : sql`(status_code >= 400) = ${isError}`])
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

/** The group and the hours of a filter on `usage.hourly`. */
export function onHours({ groupId, from, to }: Filter): RawBuilder<boolean> {
  return all([sql`group_id = ${groupId}`, from && sql`hour >= ${from}`, to && sql`hour < ${to}`])
}

function all(conditions: (RawBuilder<unknown> | undefined)[]): RawBuilder<boolean> {
  const given = conditions.filter((condition) => condition !== undefined)
  return given.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(given, sql` and `)})`
}
