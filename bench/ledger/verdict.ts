import type { BenchDatabase } from './database.ts'
import type { Sent } from './load.ts'

export interface Verdict {
  sent: number
  /** The gateway sent headers, or the provider saw it. */
  accepted: number
  rows: number
  lost: number
  doubled: number
  /** Rows under another id than the client received. */
  mistaken: number
  interrupted: number
  /** Rows that the hourly sums do not count, or count twice. */
  summedWrong: number
}

export async function judge(
  database: BenchDatabase,
  sent: readonly Sent[],
  seenUpstream: ReadonlySet<number>,
): Promise<Verdict> {
  const rows = await database.query<{ id: string; n: string | null; error: string | null }>(
    `select 'req_' || replace(id::text, '-', '') as id, metadata ->> 'n' as n, error_message as error
     from usage.usage_logs`,
  )
  const [sums] = await database.query<{ requests: number }>(
    'select coalesce(sum(requests), 0)::integer as requests from usage.hourly',
  )
  const found = Map.groupBy(rows, (row) => Number(row.n))
  const accepted = sent.filter(({ n, requestId }) => requestId !== null || seenUpstream.has(n))
  return {
    sent: sent.length,
    accepted: accepted.length,
    rows: rows.length,
    lost: accepted.filter(({ n }) => !found.has(n)).length,
    doubled: [...found.values()].filter((each) => each.length > 1).length,
    mistaken: accepted.filter(({ n, requestId }) => requestId !== null && found.get(n)?.[0]?.id !== requestId)
      .length,
    interrupted: rows.filter(({ error }) => error === 'interrupted').length,
    summedWrong: Math.abs((sums?.requests ?? 0) - rows.length),
  }
}

export function isGood({ lost, doubled, mistaken, summedWrong }: Verdict): boolean {
  return lost + doubled + mistaken + summedWrong === 0
}
