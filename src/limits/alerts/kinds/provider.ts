import { sql } from 'kysely'
import type { ConfigOf } from '../config.ts'
import type { Db, Finding, Kind } from '../kind.ts'
import { plural } from '../words.ts'
import { lowestId } from '#kernel/uuid'

/** The newest requests are enough to judge a provider; however many a group makes, no more are read. */
const maxRows = 20_000
/** What fired is over only when it is clearly better, so that a provider at the mark does not fire every minute. */
const overAt = 0.7

const since = (now: Date, minutes: number): string => lowestId(new Date(now.getTime() - minutes * 60_000))

/** A share of a provider's requests fails by its own fault or by its limits. */
export const providerErrors: Kind<ConfigOf<'provider_errors'>> = {
  severity: 'error',
  isOnce: false,
  ends: 'with a message',
  async find({ db, groupId, now, open }, config): Promise<Finding[]> {
    const { share, min_requests: least, minutes } = config
    const rows = await countErrors(db, groupId, since(now, minutes), config.provider)
    return rows.flatMap(({ provider, requests, errors, message }) => {
      const thing = `provider:${provider}`
      const percent = (100 * errors) / requests
      const isFound = open.has(thing) ? percent >= share * overAt : percent >= share && requests >= least
      if (!isFound) return []
      return [
        {
          thing,
          title: `${provider}: ${Math.round(percent)} % of ${plural(requests, 'request')} failed in ${plural(minutes, 'minute')}`,
          text: `The last error: ${message ?? 'none was given'}. Send requests to another provider with a route, or look at the status page of ${provider}.`,
          path: `/logs?provider=${encodeURIComponent(provider)}&status=error`,
          data: { provider, requests, errors, percent: Math.round(percent * 10) / 10, minutes },
        },
      ]
    })
  },
  over: ({ data }) => `${String(data['provider'])} answers again`,
}

/** Calls of the last minutes. Errors of the client's own (400, 404, 499 …) say nothing about a provider. */
export async function countErrors(
  db: Db,
  groupId: string,
  from: string,
  provider: string | null,
): Promise<{ provider: string; requests: number; errors: number; message: string | null }[]> {
  const { rows } = await sql<{ provider: string; requests: number; errors: number; message: string | null }>`
    select provider, count(*)::int as requests, count(*) filter (where has_failed)::int as errors,
      left((array_agg(message order by id desc) filter (where has_failed))[1], 300) as message
    from (
      select id, provider, message,
        status_code >= 500 or status_code in (401, 402, 403, 408, 429) as has_failed
      from alerts.calls
      where group_id = ${groupId} and id >= ${from}::uuid and provider is not null and provider_key_id is not null
        and (${provider}::text is null or provider = ${provider})
      order by id desc limit ${maxRows}
    ) as newest group by provider order by provider`.execute(db)
  return rows
}

/** The slowest 5 % of successful requests take longer than they should. */
export const providerLatency: Kind<ConfigOf<'provider_latency'>> = {
  severity: 'warning',
  isOnce: false,
  ends: 'with a message',
  async find({ db, groupId, now, open }, config): Promise<Finding[]> {
    const { metric, minutes, min_requests: least, p95_ms: mark } = config
    const rows = await measureLatency(db, groupId, since(now, minutes), config)
    const what = metric === 'ttft' ? 'time to the first token' : 'duration'
    return rows.flatMap(({ provider, requests, p95 }) => {
      const thing = `provider:${provider}`
      const isFound = open.has(thing) ? p95 >= mark * overAt : p95 >= mark && requests >= least
      if (!isFound) return []
      return [
        {
          thing,
          title: `${config.model ?? provider}: ${what} of ${p95} ms at p95 in ${plural(minutes, 'minute')}, above ${mark} ms`,
          text: `${plural(requests, 'request')} measured. A route can send requests to a faster model or provider.`,
          path: `/logs?provider=${encodeURIComponent(provider)}`,
          data: { provider, model: config.model, metric, requests, p95_ms: p95, minutes },
        },
      ]
    })
  },
  over: ({ data }) => `${String(data['model'] ?? data['provider'])} is fast again`,
}

export async function measureLatency(
  db: Db,
  groupId: string,
  from: string,
  { provider, model, metric }: Pick<ConfigOf<'provider_latency'>, 'provider' | 'model' | 'metric'>,
): Promise<{ provider: string; requests: number; p95: number }[]> {
  const column = metric === 'ttft' ? sql`ttft_ms` : sql`duration_ms`
  const { rows } = await sql<{ provider: string; requests: number; p95: number }>`
    select provider, count(*)::int as requests,
      percentile_disc(0.95) within group (order by ms)::int as p95
    from (
      select provider, ${column} as ms from alerts.requests
      where group_id = ${groupId} and id >= ${from}::uuid and provider is not null and status_code < 400
        and ${column} is not null and (${provider}::text is null or provider = ${provider})
        and (${model}::text is null or model = ${model})
      order by id desc limit ${maxRows}
    ) as newest group by provider order by provider`.execute(db)
  return rows
}
