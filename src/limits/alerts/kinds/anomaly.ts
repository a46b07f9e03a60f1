import { sql } from 'kysely'
import type { ConfigOf, Subject } from '../config.ts'
import type { Db, Finding, Kind } from '../kind.ts'
import { dollars } from '../words.ts'
import { isOf, nameOf } from './subject.ts'
import { judge, usual } from './unusual.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const historyDays = 28

/**
 * An hour that costs far more than the same hour of the last four weeks. The hour that runs is judged by what it has
 * cost so far, so that people hear of it before it is over.
 */
export const anomaly: Kind<ConfigOf<'anomaly'>> = {
  severity: 'warning',
  isOnce: false,
  ends: 'with a message',
  async find(
    { db, groupId, now, open },
    { subject, sensitivity, min_amount: minAmount },
  ): Promise<Finding[]> {
    const running = Math.floor(now.getTime() / hourMs) * hourMs
    const history = await readHours(db, groupId, subject, [running, running - hourMs])
    const judged = [running, running - hourMs].map((hour) => ({
      hour,
      ...judge(costAt(history, hour), samplesOf(history, hour), {
        sensitivity,
        minAmount: Number(minAmount),
      }),
    }))
    const found = judged.find(({ isUnusual }) => isUnusual)
    if (!found) return []
    const thing = 'anomaly'
    const { rows } = open.has(thing) ? { rows: [] } : await explain(db, groupId, subject, found.hour)
    const name = await nameOf(db, groupId, subject)
    const at = new Date(found.hour).toISOString()
    return [
      {
        thing,
        title: `Unusual spend of ${name}: ${dollars(String(found.cost))} in the hour from ${at.slice(11, 16)} UTC, usually ${dollars(String(found.expected))}`,
        text: `${rows.length === 0 ? '' : `Where it comes from: ${rows.map(rowText).join('; ')}. `}Look at the requests of that hour; revoke or limit a key that should not spend this.`,
        path: '/usage',
        data: {
          subject,
          hour: at,
          cost: found.cost,
          expected: found.expected,
          threshold: found.threshold,
          rows,
        },
      },
    ]
  },
  over: () => 'Spend is back to usual',
}

interface HourSums {
  first: number | undefined
  byHour: ReadonlyMap<number, number>
}

const hoursFor = (hours: readonly number[]): Date[] =>
  hours.flatMap((hour) => Array.from({ length: historyDays + 1 }, (_, days) => new Date(hour - days * dayMs)))

/** The sums of these hours and of the same hours of the 28 days before. */
export async function readHours(
  db: Db,
  groupId: string,
  subject: Subject,
  hours: readonly number[],
): Promise<HourSums> {
  const { rows } = await sql<{ hour: Date; cost: string }>`
    select hour, sum(cost)::text as cost from alerts.usage_hours
    where ${isOf(subject, groupId)} and hour = any (${hoursFor(hours)}::timestamptz[]) group by hour`.execute(
    db,
  )
  const { rows: first } = await sql<{ hour: Date }>`
    select hour from alerts.usage_hours where group_id = ${groupId} order by hour limit 1`.execute(db)
  return {
    first: first[0]?.hour.getTime(),
    byHour: new Map(rows.map(({ hour, cost }) => [hour.getTime(), Number(cost)])),
  }
}

const costAt = ({ byHour }: HourSums, hour: number): number => byHour.get(hour) ?? 0

/** An hour without requests cost nothing, but one before the group's first request says nothing. */
function samplesOf(history: HourSums, hour: number): number[] {
  const samples: number[] = []
  for (let days = 1; days <= historyDays; days++) {
    const then = hour - days * dayMs
    if (history.first !== undefined && then >= history.first) samples.push(costAt(history, then))
  }
  return samples
}

interface Explained {
  model: string
  key: string | null
  cost: number
  usually: number
}

const rowText = ({ model, key, cost, usually }: Explained): string =>
  `${model}${key === null ? '' : ` with the key "${key}"`} ${dollars(String(cost))} (usually ${dollars(String(usually))})`

/** The three rows, by model and key, that grew most against their own usual hour. */
export async function explain(
  db: Db,
  groupId: string,
  subject: Subject,
  hour: number,
): Promise<{ rows: Explained[] }> {
  const { rows } = await sql<{
    model: string
    key: string | null
    id: string | null
    hour: Date
    cost: string
  }>`
    select model, api_key_id as id, (select name from alerts.api_keys k where k.id = api_key_id) as key, hour,
      sum(cost)::text as cost
    from alerts.usage_hours
    where ${isOf(subject, groupId)} and hour = any (${hoursFor([hour])}::timestamptz[])
    group by model, api_key_id, hour`.execute(db)
  const grown = [...Map.groupBy(rows, ({ model, id }) => `${id} ${model}`).values()].map((all) => {
    const costs = new Map(all.map(({ hour: at, cost }) => [at.getTime(), Number(cost)]))
    const samples = Array.from({ length: historyDays }, (_, n) => costs.get(hour - (n + 1) * dayMs) ?? 0)
    const { model = '', key = null } = all[0] ?? {}
    return { model, key, cost: costs.get(hour) ?? 0, usually: usual(samples) }
  })
  const rest = grown
    .filter(({ cost, usually }) => cost > usually)
    .toSorted((a, b) => b.cost - b.usually - (a.cost - a.usually))
  return { rows: rest.slice(0, 3) }
}
