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

/** Whole UTC days: all that the span touches, in order. Days that changed since they were packed are packed now. */
export async function readDays(
  db: Queryable,
  kind: Kind,
  groupId: string,
  { from, to }: Span,
): Promise<PackedDay[]> {
  const { rows } = await db.query<Omit<PackedDay, 'records'> & { records: string }>(
    `with changed as materialized (
       select distinct day from analytics.changed_days
       where group_id = $1 and kind = $2 and day >= analytics.day_of($3) and day <= analytics.day_of($4)
     )
     select day - date '1970-01-01' as day, array_to_json(services) as services,
       array_to_json(environments) as environments, encode(records, 'base64') as records from (
       select day, services, environments, records from analytics.day_columns
       where group_id = $1 and kind = $2 and day >= analytics.day_of($3) and day <= analytics.day_of($4)
         and day not in (select day from changed)
       union all
       select day, coalesce(services, '{}'), coalesce(environments, '{}'), coalesce(records, '')
       from changed, analytics.pack_${kind}($1, day)
     ) as days order by day`,
    [groupId, kind, new Date(from), new Date(Math.max(from, to - 1))],
  )
  // The driver reads bytes as hexadecimal text, which is longer and slower to read.
  return rows.map((row) => ({ ...row, records: Buffer.from(row.records, 'base64') }))
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
