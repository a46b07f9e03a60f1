import { sql, type RawBuilder } from 'kysely'
import { invalid } from '#kernel/errors'
import { personPrefix, runsPrefix, type LogFilter } from '../contract.ts'
import type { LogNames } from '../deps.ts'
import { dayMs, dayOf } from './id-time.ts'
import { idsOf, type Ids } from './id-prefix.ts'

/** A text that the name of a model, of a provider or of an API key contains. */
interface Words {
  text: string
  /** The API keys with such a name. */
  apiKeyIds: readonly string[]
}

/** A parsed filter. `to` is the first moment after it. */
export interface Filter {
  groupId: string
  from: Date | undefined
  to: Date | undefined
  models: readonly string[] | undefined
  providers: readonly string[] | undefined
  /** Null: requests without a key. */
  apiKeyIds: readonly (string | null)[] | undefined
  isError: boolean | undefined
  words: Words | undefined
  /** The key of a session or of a subagent. The sums do not know it: such a filter reads rows. */
  session: string | undefined
  /** The first and the last id. The sums do not know ids either. */
  ids: Ids | undefined
  /** The route that requests named, and how many calls they took at least. Rows of both are found by indexes. */
  route: string | undefined
  minAttempts: number | undefined
}

/** Neither an id nor the name of a month can be made of every day; there are no requests before and after these. */
const [firstDay, lastDay] = [dayOf('1970-01-01'), dayOf('9990-12-31')]
const storable = (day: Date): Date => (day < firstDay ? firstDay : day > lastDay ? lastDay : day)

export async function parseFilter(
  groupId: string,
  input: LogFilter,
  names: Pick<LogNames, 'resolveProvider' | 'apiKeyNames' | 'runKeyAgents' | 'keyPeople'>,
): Promise<Filter> {
  const { resolveProvider, apiKeyNames } = names
  const time = timeOf(input)
  const ids = input.q === undefined ? undefined : idsOf(input.q)
  return {
    groupId,
    ...time,
    models: listOf(input.model),
    // A provider that was removed is no longer known, but its requests are still in the log.
    providers: listOf(input.provider)?.map((word) => resolveProvider(groupId, word) ?? word),
    apiKeyIds: await keysOf(groupId, listOf(input.api_key_id), names),
    isError: input.status && input.status === 'error',
    words: input.q === undefined || ids ? undefined : wordsOf(input.q, await apiKeyNames(groupId)),
    session: input.session,
    ids,
    route: input.route,
    minAttempts: input.min_attempts,
  }
}

/** `agent:ID` stands for the keys of all runs of the agent, `person:ID` for those that the person made. */
async function keysOf(
  groupId: string,
  given: readonly string[] | undefined,
  { runKeyAgents, keyPeople }: Pick<LogNames, 'runKeyAgents' | 'keyPeople'>,
): Promise<Filter['apiKeyIds']> {
  if (!given) return undefined
  const agents = behind(runsPrefix, given)
  const people = behind(personPrefix, given)
  const ofRuns = agents.size === 0 ? [] : [...(await runKeyAgents(groupId))]
  const ofPeople = people.size === 0 ? [] : [...(await keyPeople(groupId))]
  return [
    ...given.filter((id) => !id.includes(':')).map((id) => (id === 'none' ? null : id)),
    ...ofRuns.flatMap(([key, agent]) => (agents.has(agent) ? [key] : [])),
    ...ofPeople.flatMap(([key, { id }]) => (people.has(id) ? [key] : [])),
  ]
}

const behind = (prefix: string, given: readonly string[]): ReadonlySet<string> =>
  new Set(given.flatMap((id) => (id.startsWith(prefix) ? [id.slice(prefix.length).toLowerCase()] : [])))

/** Days are whole UTC days. */
function timeOf({ start_date, end_date, since, until }: LogFilter): Pick<Filter, 'from' | 'to'> {
  if (since !== undefined && start_date !== undefined)
    throw invalid('Give "since" or "start_date", not both.', 'since')
  if (until !== undefined && end_date !== undefined)
    throw invalid('Give "until" or "end_date", not both.', 'until')
  const start = since === undefined ? start_date && storable(dayOf(start_date)) : new Date(since)
  const end =
    until === undefined ? end_date && new Date(storable(dayOf(end_date)).getTime() + dayMs) : new Date(until)
  const [from, to] = [start || undefined, end || undefined]
  if (from && to && to <= from) {
    const [first, last] = [
      since === undefined ? 'start_date' : 'since',
      until === undefined ? 'end_date' : 'until',
    ]
    throw invalid(`"${last}" lies before "${first}".`, last)
  }
  return { from, to }
}

function wordsOf(text: string, names: ReadonlyMap<string, string>): Words {
  const wanted = text.trim().toLowerCase()
  const apiKeyIds = [...names].flatMap(([id, name]) => (name.toLowerCase().includes(wanted) ? [id] : []))
  return { text: wanted, apiKeyIds }
}

const listOf = (given: string | readonly string[] | undefined): readonly string[] | undefined =>
  typeof given === 'string' ? [given] : given

/** True when the filter has a condition besides time. */
export function isNarrow({ models, providers, apiKeyIds, isError, words }: Filter): boolean {
  return [models, providers, apiKeyIds, isError, words].some((value) => value !== undefined)
}

/** True when the filter asks for what no sum knows: its rows are counted themselves. */
export function needsRows(filter: Filter): boolean {
  return isFew(filter) || filter.route !== undefined || filter.minAttempts !== undefined
}

/** True when there are so few rows that all of them can be read for a page. */
export function isFew({ session, ids }: Filter): boolean {
  return session !== undefined || ids !== undefined
}

/** The conditions of a filter, except group and time, on `usage.daily` and `usage.hourly`. */
export function matchesSums(filter: Filter): RawBuilder<boolean> {
  const { isError } = filter
  return all([...shared(filter), isError === undefined ? undefined : sql`is_error = ${isError}`])
}

/** The same on `usage.usage_logs`. */
export function matchesLog(filter: Filter): RawBuilder<boolean> {
  const { isError, session, ids, route, minAttempts } = filter
  return all([
    ...shared(filter),
    isError === undefined ? undefined : sql`(status_code >= 400) = ${isError}`,
    session === undefined ? undefined : sql`(session_key = ${session} or subagent_key = ${session})`,
    ids && sql`id >= ${ids.first}::uuid and id <= ${ids.last}::uuid`,
    route === undefined ? undefined : sql`route = ${route}`,
    // At least 2, so that the index of those with more than one is found.
    minAttempts === undefined ? undefined : sql`attempt_count >= ${sql.lit(minAttempts)}`,
  ])
}

function shared({ models, providers, apiKeyIds, words }: Filter): (RawBuilder<unknown> | undefined)[] {
  return [
    models && sql`model = any(${models}::text[])`,
    providers && sql`provider = any(${providers}::text[])`,
    apiKeyIds && hasKey(apiKeyIds),
    words && hasWords(words),
  ]
}

function hasKey(ids: readonly (string | null)[]): RawBuilder<unknown> {
  const given = ids.filter((id) => id !== null)
  if (given.length === ids.length) return sql`api_key_id = any(${given}::uuid[])`
  if (given.length === 0) return sql`api_key_id is null`
  return sql`(api_key_id is null or api_key_id = any(${given}::uuid[]))`
}

function hasWords({ text, apiKeyIds }: Words): RawBuilder<unknown> {
  return sql`(strpos(lower(model), ${text}) > 0 or strpos(lower(provider), ${text}) > 0
    or api_key_id = any(${apiKeyIds}::uuid[]))`
}

export function all(conditions: (RawBuilder<unknown> | undefined)[]): RawBuilder<boolean> {
  const given = conditions.filter((condition) => condition !== undefined)
  return given.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(given, sql` and `)})`
}
