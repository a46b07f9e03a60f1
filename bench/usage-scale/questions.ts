import type pg from 'pg'
import type { World } from './fill.ts'

export interface Question {
  name: string
  path: string
  /** The most that the promise allows, in milliseconds. */
  ceiling: number
  /** The group, where it is not the large one. */
  group?: string
}

const pageMs = 50
const sumsMs = 150

/** Every route with every filter, the rare ones above all: they are what an index must not forget. */
export async function questions(pool: pg.Pool, world: World): Promise<Question[]> {
  const rare = await rarest(pool, world.main)
  const day = (before: number): string =>
    new Date(world.to.getTime() - before * 86_400_000).toISOString().slice(0, 10)
  const filters: Record<string, string> = {
    'no filter': '',
    'common model': `model=${rare.commonModel}`,
    'rare model': `model=${rare.model}`,
    'absent model': 'model=nobody-has-this',
    provider: 'provider=anthropic',
    'rarest provider': `provider=${rare.provider}`,
    'common key': `api_key_id=${rare.commonKey}`,
    'rare key': `api_key_id=${rare.key}`,
    'no key': 'api_key_id=none',
    'rare model, common key': `model=${rare.model}&api_key_id=${rare.commonKey}`,
    'a day long ago': `start_date=${day(80)}&end_date=${day(80)}`,
    'a month, one model': `start_date=${day(60)}&end_date=${day(31)}&model=${rare.commonModel}`,
  }
  const ofLog: Record<string, string> = {
    'errors only': 'status=error',
    'errors of a rare key': `status=error&api_key_id=${rare.key}`,
    'successes of a model': `status=ok&model=${rare.commonModel}`,
    'several models and keys': `model=${rare.commonModel}&model=${rare.model}&api_key_id=${rare.key}&api_key_id=${rare.commonKey}`,
    'from half past to half past': `since=${day(60)}T08:30:00Z&until=${day(3)}T09:30:00Z`,
    'ten minutes long ago': `since=${day(60)}T08:30:00Z&until=${day(60)}T08:40:00Z`,
    'a text of names': `q=${rare.model.slice(0, 5)}`,
    'a text that nothing has': 'q=nobody-has-this',
    'the beginning of an id': `q=${rare.middle.slice(0, 8)}`,
  }
  const all = (path: string, ceiling: number, of: Record<string, string>): Question[] =>
    Object.entries(of).map(([name, query]) => ({
      name: `${path}, ${name}`,
      path: `${path}?${query}`,
      ceiling,
    }))
  return [
    ...all('/api/v1/logs', pageMs, { ...filters, ...ofLog }),
    // The largest offset is no first page: it may cost what a sum costs.
    ...all('/api/v1/logs', sumsMs, {
      'offset 10,000': 'offset=10000',
      'offset 10,000, common model': `offset=10000&model=${rare.commonModel}`,
    }),
    ...all('/api/v1/logs', pageMs, {
      'a cursor in the middle': `cursor=${rare.middle}`,
      'a cursor, rare model': `cursor=${rare.middle}&model=${rare.model}`,
    }),
    {
      name: '/api/v1/logs, a group with few rows',
      path: '/api/v1/logs',
      ceiling: pageMs,
      group: world.small,
    },
    {
      name: '/api/v1/logs, a group with few rows, rare model',
      path: `/api/v1/logs?model=${rare.model}`,
      ceiling: pageMs,
      group: world.small,
    },
    { name: '/api/v1/logs/{request_id}', path: `/api/v1/logs/${rare.middle}`, ceiling: pageMs },
    ...all('/api/v1/logs/summary', sumsMs, { ...filters, ...ofLog }),
    ...all('/api/v1/logs/percentiles', sumsMs, { ...filters, ...ofLog }),
    ...['by-model', 'by-provider', 'by-key', 'daily'].flatMap((name) =>
      all(`/api/v1/analytics/${name}`, sumsMs, filters),
    ),
    ...all('/api/v1/analytics/hourly', sumsMs, {
      'one day': `start_date=${day(3)}&end_date=${day(3)}`,
      'three days': `start_date=${day(5)}&end_date=${day(3)}`,
    }),
  ]
}

interface Rare {
  model: string
  commonModel: string
  provider: string
  key: string
  commonKey: string
  middle: string
}

async function rarest(pool: pg.Pool, group: string): Promise<Rare> {
  const { rows } = await pool.query<Rare>(
    `with of_group as (select * from usage.daily where group_id = $1),
       models as (select model, sum(requests) as n from of_group group by 1),
       providers as (select provider, sum(requests) as n from of_group group by 1),
       keys as (select api_key_id, sum(requests) as n from of_group where api_key_id is not null group by 1)
     select (select model from models order by n limit 1) as model,
       (select model from models order by n desc limit 1) as "commonModel",
       (select provider from providers order by n limit 1) as provider,
       (select api_key_id from keys order by n limit 1) as key,
       (select api_key_id from keys order by n desc limit 1) as "commonKey",
       (select id from usage.usage_logs where group_id = $1 and started_at > now() - interval '45 days'
        order by id limit 1) as middle`,
    [group],
  )
  return rows[0] as Rare
}
