import type pg from 'pg'
import { parseQuery, toTsquery } from '#kernel/words'
import { severities, type EventStats } from '../contract.ts'
import { conditions, errorLevel, facetWords, ofLevels, type EventFilter } from '../filter.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour
/** Lengths of a step of the timeline, in seconds; each one fits into a day. */
const steps = [minute, 5 * minute, 15 * minute, hour, 6 * hour, day]
const maxSteps = 400
/** Of services and of sources, which the senders of events choose. */
const maxNames = 100

interface Cell {
  at: Date
  type: string
  severity: number
  source: string
  service: string | null
  events: number
}

/**
 * Counts of a range of time, from sums by minute or, for long ranges, by hour. Where the range begins or ends within
 * such a unit, its events themselves are counted. So are those that a search finds.
 */
export async function readStats(
  pool: pg.Pool,
  filter: EventFilter,
  range: Range,
  text?: string,
): Promise<Omit<EventStats, 'hours'>> {
  const step = stepFor(range.until - range.since)
  const cells =
    text === undefined
      ? await countCells(pool, filter, range, step)
      : await countFound(pool, { ...filter, ...range }, text, step)
  return {
    since: new Date(range.since).toISOString(),
    until: new Date(range.until).toISOString(),
    total: sum(cells),
    by_type: countBy(cells, ({ type }) => type),
    by_severity: countBy(cells, ({ severity }) => severities[severity] ?? null),
    by_service: firstOf(
      countBy(cells, ({ service }) => service),
      maxNames,
    ),
    by_source: firstOf(
      countBy(cells, ({ source }) => source),
      maxNames,
    ),
    bucket_seconds: step,
    timeline: timeline(cells, range.since, range.until, step),
  }
}

function stepFor(lengthMs: number): number {
  return steps.find((step) => lengthMs / 1_000 / step <= maxSteps) ?? day
}

interface Range {
  since: number
  until: number
}

async function countCells(pool: pg.Pool, filter: EventFilter, range: Range, step: number): Promise<Cell[]> {
  const unit = step < hour ? minute : hour
  const unitMs = unit * 1_000
  // What is still to come has no events, so the unit that has begun may be taken whole.
  const isUpToNow = range.until >= Date.now() - 1_000
  const whole = {
    since: Math.ceil(range.since / unitMs) * unitMs,
    until: isUpToNow ? range.until : Math.floor(range.until / unitMs) * unitMs,
  }
  if (whole.since >= whole.until) return countEvents(pool, filter, range, step)
  const parts = await Promise.all([
    countEvents(pool, filter, { since: range.since, until: whole.since }, step),
    selectCells(pool, filter, whole, step, unit),
    countEvents(pool, filter, { since: whole.until, until: range.until }, step),
  ])
  return parts.flat()
}

/** The events that the words find, the same as in the list of the search. */
async function countFound(pool: pg.Pool, filter: EventFilter, text: string, step: number): Promise<Cell[]> {
  const query = parseQuery(text)
  if (query === null) return []
  const words = [toTsquery(query), facetWords(filter)].filter((each) => each !== '')
  const values: unknown[] = [words.map((each) => `(${each})`).join(' & '), step]
  // The first 48 bits of an id are its milliseconds.
  const seconds = `('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000`
  const { rows } = await pool.query<Cell>(
    `select to_timestamp(${seconds} / $2::int * $2::int) as at, type, severity, source, service,
       count(*)::float8 as events
     from console.events where words @@ $1::tsquery and ${conditions(filter, values)} group by 1, 2, 3, 4, 5`,
    values,
  )
  return rows
}

/** Of a range within one step. */
async function countEvents(
  pool: pg.Pool,
  filter: EventFilter,
  { since, until }: Range,
  step: number,
): Promise<Cell[]> {
  if (since >= until) return []
  const values: unknown[] = [new Date(Math.floor(since / 1_000 / step) * step * 1_000)]
  const { rows } = await pool.query<Cell>(
    `select $1::timestamptz as at, type, severity, source, service, count(*)::float8 as events
     from console.events where ${conditions({ ...filter, since, until }, values)} group by 2, 3, 4, 5`,
    values,
  )
  return rows
}

async function selectCells(
  pool: pg.Pool,
  filter: EventFilter,
  { since, until }: Range,
  step: number,
  unit: number,
): Promise<Cell[]> {
  const [table, column] = unit === minute ? ['console.minutes', 'minute'] : ['console.hours', 'hour']
  const values: unknown[] = [filter.groupId, new Date(since), new Date(until), step]
  const where = [ofLevels(filter.levels)]
  for (const facet of ['type', 'source', 'service'] as const) {
    const { include, exclude } = filter[facet]
    if (include.length > 0) where.push(`${facet} = any($${values.push(include)}::text[])`)
    if (exclude.length > 0) where.push(`(${facet} <> all($${values.push(exclude)}::text[])) is not false`)
  }
  const { rows } = await pool.query<Cell>(
    `select to_timestamp(floor(extract(epoch from ${column}) / $4) * $4) as at, type, severity, source, service,
       sum(events)::float8 as events
     from ${table}
     where ${[`group_id = $1 and ${column} >= $2 and ${column} < $3`, ...where].filter((each) => each !== '').join(' and ')}
     group by 1, 2, 3, 4, 5`,
    values,
  )
  return rows
}

const sum = (cells: readonly Cell[]): number => cells.reduce((total, { events }) => total + events, 0)

/** The largest first. */
function countBy(cells: readonly Cell[], name: (cell: Cell) => string | null): Record<string, number> {
  const counts = new Map<string, number>()
  for (const cell of cells) {
    const key = name(cell)
    if (key !== null) counts.set(key, (counts.get(key) ?? 0) + cell.events)
  }
  return Object.fromEntries([...counts].toSorted(([, a], [, b]) => b - a))
}

function firstOf(counts: Record<string, number>, limit: number): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).slice(0, limit))
}

/** Every step of the range, also those without events. */
function timeline(
  cells: readonly Cell[],
  since: number,
  until: number,
  step: number,
): EventStats['timeline'] {
  const stepMs = step * 1_000
  const counts = new Map<number, { count: number; errors: number }>()
  for (const { at, severity, events } of cells) {
    const found = counts.get(at.getTime()) ?? { count: 0, errors: 0 }
    found.count += events
    if (severity >= errorLevel) found.errors += events
    counts.set(at.getTime(), found)
  }
  const line: EventStats['timeline'] = []
  for (let at = Math.floor(since / stepMs) * stepMs; at < until; at += stepMs)
    line.push({ at: new Date(at).toISOString(), ...(counts.get(at) ?? { count: 0, errors: 0 }) })
  return line
}
