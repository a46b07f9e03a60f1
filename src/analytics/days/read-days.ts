import { BoundedCache } from '#kernel/cache'
import { only, type Queryable } from '../queries/query.ts'

/** What is packed by day, and how many bytes a record of it has. */
export const recordBytes = { deployments: 30, tickets_created: 4, tickets_closed: 22, devlogs: 10 } as const
export type Kind = keyof typeof recordBytes

/** The records of one UTC day, packed; migration 0021 says what is in them. */
export interface PackedDay {
  /** Days since 1970. */
  day: number
  services: string[]
  environments: string[]
  records: Buffer
}

/** Milliseconds; `to` is excluded. */
export interface Span {
  from: number
  to: number
}

export const dayMs = 86_400_000

/** A year of 300,000 deployments, tickets and devlogs has 20 MB. */
const maxKeptBytes = 32 << 20
const maxKeptDays = 50_000

/** A day as reports read it: a typed array for each fact. */
export interface UnpackedDay {
  /** Its first millisecond. */
  start: number
  /** Milliseconds since then, in order. */
  times: Int32Array
}

/** Days that were read, by kind, group and version: what is in a version never changes. */
const kept = new BoundedCache<string, KeptDay>('analytics_days', maxKeptDays, {
  maxSize: maxKeptBytes,
  sizeOf: ({ bytes }) => bytes,
})

interface KeptDay {
  bytes: number
  day: UnpackedDay
}

interface DayRow extends Omit<PackedDay, 'records'> {
  version: string
  records: string
}

/** Whole UTC days: all that the span touches, in order. Days that changed since they were packed are packed now. */
export async function readDays<Day extends UnpackedDay>(
  db: Queryable,
  kind: Kind,
  groupId: string,
  span: Span,
  unpack: (day: PackedDay) => Day,
): Promise<Day[]> {
  const found = await findDays(db, kind, groupId, span)
  const keyOf = (version: string): string => `${kind} ${groupId} ${version}`
  const days = new Map<number, Day>()
  const missing: number[] = []
  for (const row of found) {
    // A key names its kind, and a kind has one way to unpack it.
    const day = row.version === null ? unpack(toDay(row)) : (kept.get(keyOf(row.version))?.day as Day)
    if (day) days.set(row.day, day)
    else missing.push(row.day)
  }
  for (const row of await readPacked(db, kind, groupId, missing)) {
    const packed = toDay(row)
    const day = unpack(packed)
    days.set(row.day, day)
    kept.set(keyOf(row.version), { bytes: sizeOf(packed), day })
  }
  return found.flatMap((row) => days.get(row.day) ?? [])
}

/** Unpacked it is about as large. */
const sizeOf = ({ records, services, environments }: PackedDay): number =>
  1_000 + records.length + 40 * (services.length + environments.length)

/** The driver reads bytes as hexadecimal text, which is longer and slower to read. */
function toDay({ day, services, environments, records }: Omit<DayRow, 'version'>): PackedDay {
  return { day, services, environments, records: Buffer.from(records, 'base64') }
}

/** Of days that are packed only the version; of days that changed, which have no version yet, the records. */
type FoundDay = { day: number; version: string } | (Omit<DayRow, 'version'> & { version: null })

async function findDays(db: Queryable, kind: Kind, groupId: string, { from, to }: Span): Promise<FoundDay[]> {
  const { rows } = await db.query<FoundDay>(
    `with changed as materialized (
       select distinct day from analytics.changed_days
       where group_id = $1 and kind = $2 and day >= analytics.day_of($3) and day <= analytics.day_of($4)
     )
     select day - date '1970-01-01' as day, version, array_to_json(services) as services,
       array_to_json(environments) as environments, encode(records, 'base64') as records from (
       select day, version, null::text[] as services, null::text[] as environments, null::bytea as records
       from analytics.day_columns
       where group_id = $1 and kind = $2 and day >= analytics.day_of($3) and day <= analytics.day_of($4)
         and day not in (select day from changed)
       union all
       select day, null, coalesce(services, '{}'), coalesce(environments, '{}'), coalesce(records, '')
       from changed, analytics.pack_${kind}($1, day)
     ) as days order by day`,
    [groupId, kind, new Date(from), new Date(Math.max(from, to - 1))],
  )
  return rows
}

async function readPacked(
  db: Queryable,
  kind: Kind,
  groupId: string,
  days: readonly number[],
): Promise<DayRow[]> {
  if (days.length === 0) return []
  const { rows } = await db.query<DayRow>(
    `select day - date '1970-01-01' as day, version, array_to_json(services) as services,
       array_to_json(environments) as environments, encode(records, 'base64') as records
     from analytics.day_columns
     where group_id = $1 and kind = $2 and day in (select date '1970-01-01' + n from unnest($3::int[]) as n)`,
    [groupId, kind, days],
  )
  return rows
}

/** How many records there are on the days after that of a time. */
export async function countAfterDay(db: Queryable, kind: Kind, groupId: string, at: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `with changed as materialized (
       select distinct day from analytics.changed_days
       where group_id = $1 and kind = $2 and day > analytics.day_of($3)
     )
     select (
       (select coalesce(sum(count), 0) from analytics.day_columns
         where group_id = $1 and kind = $2 and day > analytics.day_of($3) and day not in (select day from changed))
       + (select coalesce(sum(count), 0) from changed, analytics.pack_${kind}($1, day))
     )::int as count`,
    [groupId, kind, new Date(at)],
  )
  return only(rows).count
}
