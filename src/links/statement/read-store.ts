import { sql } from 'kysely'
import type { Part } from '../shapes/statement.ts'
import type { Db, Queries } from '../tables.ts'
import { hoursToCount } from './count-store.ts'

export interface Days {
  from: string
  /** The last one, included. */
  to: string
  timeZone: string
}

export interface Bounds {
  first: Date
  last: Date
}

/** When the days begin and end by the clocks of the zone. */
export async function boundsOf(db: Queries, { from, to, timeZone }: Days): Promise<Bounds> {
  const { rows } = await sql<Bounds>`
    select ${from}::timestamp at time zone ${timeZone} as first,
      (${to}::timestamp + interval '1 day') at time zone ${timeZone} as last`.execute(db)
  return rows[0] as Bounds
}

interface Owned {
  date: string
  person: string | null
}

export interface GatewaySum extends Owned {
  part: Part
  requests: number
  cost: string
}

/** Responses of a model on a day that no request accounts for. */
export interface TranscriptSum extends Owned {
  model: string
  /** When the last quarter of an hour began that has some. */
  quarter: Date
  responses: number
  input_tokens: number
  cached_tokens: number
  cache_write_tokens: number
  output_tokens: number
}

export interface Sides {
  gateway: GatewaySum[]
  transcripts: TranscriptSum[]
  isComplete: boolean
}

/** Both sides by day and person, as they are at one moment. */
export async function readSides(
  db: Db,
  groupId: string,
  { first, last }: Bounds,
  timeZone: string,
): Promise<Sides> {
  const within = sql`group_id = ${groupId} and quarter >= ${first} and quarter < ${last}`
  const date = sql`to_char(quarter at time zone ${timeZone}, 'YYYY-MM-DD')`
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (transaction) => {
      // Summed by quarter first: the clock of the zone is asked once for each.
      const gateway = await sql<GatewaySum>`
        select ${date} as date, person, part, sum(requests)::int as requests, trim_scale(sum(cost)) as cost
        from (
          select quarter, person, part, sum(requests) as requests, sum(cost) as cost
          from links.statement_gateway where ${within} group by 1, 2, 3
        ) as quarters group by 1, 2, 3 order by 1, 2, 3`.execute(transaction)
      const transcripts = await sql<TranscriptSum>`
        select ${date} as date, coalesce(t.person, w.user_id) as person, t.model, max(t.quarter) as quarter,
          sum(t.responses)::int as responses,
          sum(t.input_tokens)::float8 as input_tokens, sum(t.cached_tokens)::float8 as cached_tokens,
          sum(t.cache_write_tokens)::float8 as cache_write_tokens, sum(t.output_tokens)::float8 as output_tokens
        from (select * from links.statement_transcripts where ${within}) as t
        join links.sessions s on s.id = t.session_id
        left join links.watchers w on w.group_id = ${groupId} and w.machine = s.machine
        group by 1, 2, 3 order by 1, 2, 3`.execute(transaction)
      const behind = await hoursToCount(transaction, groupId, { from: first, to: last }, 1)
      return { gateway: gateway.rows, transcripts: transcripts.rows, isComplete: behind.length === 0 }
    })
}
