import { sql, type RawBuilder } from 'kysely'
import { lowestId } from '#kernel/uuid'
import { all, type Filter } from './filter.ts'
import { dayFrom, dayText, hourFrom, monthFrom, monthOf, startOfDay, startOfHour } from './id-time.ts'

/** A day as PostgreSQL takes it: the one after the last of the year 9999 has no such text. */
const dateText = (at: Date): string => (at.getUTCFullYear() > 9999 ? 'infinity' : dayText(at))

/** The group and the days of a filter on `usage.daily`. */
export function onDays({ groupId, from, to }: Filter): RawBuilder<boolean> {
  return all([
    sql`group_id = ${groupId}`,
    from && sql`day >= ${dateText(from)}::date`,
    to && sql`day < ${dateText(to)}::date`,
  ])
}

/** The group and the hours of a filter on `usage.hourly`. */
export function onHours({ groupId, from, to }: Filter): RawBuilder<boolean> {
  return all([sql`group_id = ${groupId}`, from && sql`hour >= ${from}`, to && sql`hour < ${to}`])
}

type Span = Pick<Filter, 'from' | 'to'>

/** Where a span is cut into a middle of whole units and up to two ends of smaller ones. */
interface Unit {
  /** The first unit that begins here or later. */
  firstFrom: (at: Date) => Date
  /** The unit that this lies in. */
  startOf: (at: Date) => Date
  select: (filter: Filter) => RawBuilder<unknown>
}

const units: readonly Unit[] = [
  { firstFrom: monthFrom, startOf: monthOf, select: months },
  { firstFrom: dayFrom, startOf: startOfDay, select: days },
  { firstFrom: hourFrom, startOf: startOfHour, select: hours },
]

/**
 * The sums of a filter's group and time, from as few rows as can be: whole months, then days, hours and single requests
 * at the two ends. `since` and `till` say which time each is of. Single requests are those of less than an hour.
 */
export function longSums(filter: Filter): RawBuilder<unknown> {
  return sql`(${sql.join(selects(filter, filter, units), sql` union all `)}) as sums`
}

function selects(filter: Filter, span: Span, [unit, ...smaller]: readonly Unit[]): RawBuilder<unknown>[] {
  if (!unit) return [rows(filter, span)]
  const first = span.from && unit.firstFrom(span.from)
  const last = span.to && unit.startOf(span.to)
  if (first && last && first >= last) return selects(filter, span, smaller)
  const ends = [
    { from: span.from, to: first },
    { from: last, to: span.to },
  ].filter(({ from, to }) => from && to && from < to)
  return [
    unit.select({ ...filter, from: first, to: last }),
    ...ends.flatMap((end) => selects(filter, end, smaller)),
  ]
}

const names = [
  ...['group_id', 'api_key_id', 'provider', 'model', 'is_error', 'requests', 'unpriced_requests'],
  ...['estimated_requests', 'prompt_tokens', 'completion_tokens', 'cached_tokens', 'cache_write_tokens'],
  ...['reasoning_tokens', 'input_cost', 'output_cost', 'duration_ms'],
]
const sumColumns = sql.raw(names.join(', '))

function months({ groupId, from, to }: Filter): RawBuilder<unknown> {
  const within = all([
    sql`group_id = ${groupId}`,
    from && sql`month >= ${dateText(from)}::date`,
    to && sql`month < ${dateText(to)}::date`,
  ])
  return sql`select ${sumColumns}, month::timestamp at time zone 'UTC' as since,
      (month + interval '1 month') at time zone 'UTC' as till
    from usage.monthly where ${within}`
}

function days(filter: Filter): RawBuilder<unknown> {
  return sql`select ${sumColumns}, day::timestamp at time zone 'UTC' as since,
      (day + interval '1 day') at time zone 'UTC' as till
    from usage.daily where ${onDays(filter)}`
}

function hours(filter: Filter): RawBuilder<unknown> {
  return sql`select ${sumColumns}, hour as since, hour + interval '1 hour' as till
    from usage.hourly where ${onHours(filter)}`
}

const computed: Record<string, string> = {
  is_error: 'status_code >= 400',
  requests: '1::bigint',
  unpriced_requests: '(input_cost is null)::integer::bigint',
  estimated_requests: "(usage_source = 'estimated')::integer::bigint",
  duration_ms: 'duration_ms::bigint',
}
/** A request as if it were a sum. */
export const rowColumns = sql.raw(
  names.map((name) => (computed[name] === undefined ? name : `${computed[name]} as ${name}`)).join(', '),
)

function rows({ groupId }: Filter, { from, to }: Span): RawBuilder<unknown> {
  const within = all([
    sql`group_id = ${groupId}`,
    from && sql`id >= ${lowestId(from)}::uuid`,
    to && sql`id < ${lowestId(to)}::uuid`,
  ])
  return sql`select ${rowColumns}, ${from}::timestamptz as since, ${to}::timestamptz as till
    from usage.usage_logs where ${within}`
}
