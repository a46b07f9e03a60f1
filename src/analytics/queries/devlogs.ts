import type { StepCounts } from '../calendar.ts'
import type { Scope } from '../scope.ts'
import { only, type Queryable } from './query.ts'

export interface DevlogSums {
  total: number
  human: number
  ai: number
}

/** Null: devlogs of no service. */
export type DevlogService = { service: string | null } & DevlogSums

/** Only hours with a devlog, by the clock of the zone. */
export interface DevlogHour {
  /** 1 is Monday. */
  weekday: number
  hour: number
  count: number
}

export interface DevlogCounts {
  steps: StepCounts<'human' | 'ai'>[]
  /** Of the period, those with most devlogs first. */
  services: DevlogService[]
  heatmap: DevlogHour[]
}

const maxServices = 500
const sums = `count(*) as total, count(*) filter (where author_kind = 'human') as human,
  count(*) filter (where author_kind = 'ai') as ai`

/** No clock is set within a quarter of an hour, so each quarter is converted to the zone once. */
export async function countDevlogs(
  db: Queryable,
  { groupId, service, period }: Scope,
  steps: readonly Date[],
): Promise<DevlogCounts> {
  const { rows } = await db.query<DevlogCounts>(
    `with chosen as materialized (
       select created_at, width_bucket(created_at, $6::timestamptz[]) - 1 as step, service collate "C" as service,
         author_kind
       from analytics.devlogs
       where group_id = $1 and created_at >= $2 and created_at < $4 and ($5::text is null or service = $5)
     ), steps as (
       select step, ${sums} from chosen group by step
     ), services as (
       select service, ${sums} from chosen where created_at >= $3
       group by service order by total desc, service nulls last limit ${maxServices}
     ), heatmap as (
       select extract(isodow from local)::int as weekday, extract(hour from local)::int as hour, sum(count) as count
       from (
         select quarter at time zone $7 as local, count from (
           select date_bin('15 minutes', created_at, '2000-01-01Z') as quarter, count(*) as count
           from chosen where created_at >= $3 group by 1
         ) as quarters offset 0
       ) as clock
       group by 1, 2 order by 1, 2
     )
     select coalesce((select json_agg(steps) from steps), '[]') as steps,
       coalesce((select json_agg(services) from services), '[]') as services,
       coalesce((select json_agg(heatmap) from heatmap), '[]') as heatmap`,
    [groupId, period.previousFrom, period.from, period.to, service ?? null, steps, period.tz],
  )
  return only(rows)
}

/** The same by step only. */
export async function countDevlogSteps(
  db: Queryable,
  { groupId, service, period }: Scope,
  steps: readonly Date[],
): Promise<DevlogCounts['steps']> {
  const { rows } = await db.query<DevlogCounts['steps'][number]>(
    `select width_bucket(created_at, $5::timestamptz[]) - 1 as step,
       count(*) filter (where author_kind = 'human')::int as human,
       count(*) filter (where author_kind = 'ai')::int as ai
     from analytics.devlogs
     where group_id = $1 and created_at >= $2 and created_at < $3 and ($4::text is null or service = $4) group by 1`,
    [groupId, period.previousFrom, period.to, service ?? null, steps],
  )
  return rows
}
