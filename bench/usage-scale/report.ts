import { markdownTable } from '../performance-page.ts'
import { loadavg } from 'node:os'
import type { MeasuredQuestion, Exported } from './measure.ts'

export interface Sizes {
  rows: number
  /** Bytes a row: the table, its indexes, and the sums with theirs. */
  table: number
  indexes: number
  sums: number
}

export interface Forgotten {
  rows: number
  seconds: number
}

export interface Results {
  sizes: Sizes
  measured: MeasuredQuestion[]
  /** A short export before the long one. */
  first: Exported
  exported: Exported
  forgotten: Forgotten
}

interface Promised {
  what: string
  ceiling: string
  found: string
  isMet: boolean
}

export function toMarkdown(results: Results): string {
  const rows = results.measured.map((each) => [
    each.name,
    each.processor.toFixed(1),
    each.p50.toFixed(1),
    each.p95.toFixed(1),
    `≤ ${each.ceiling}`,
    each.p50 <= each.ceiling ? 'met' : '**missed**',
  ])
  const head = ['Route and filter', 'CPU ms', 'p50 ms', 'p95 ms', 'ceiling', '']
  const verdict = judge(results).map((each) => [
    each.what,
    each.ceiling,
    each.found,
    each.isMet ? 'met' : '**missed**',
  ])
  const load = `Load of the machine at the end of the run (it has its own share in it): ${loadavg()[0]?.toFixed(1)}.`
  return [markdownTable(['Promise', 'Ceiling', 'Found', ''], verdict), markdownTable(head, rows), load].join(
    '\n\n',
  )
}

/** The promises that are not about one route; those on routes count by their middle time. */
export function judge({ sizes, measured, first, exported, forgotten }: Results): Promised[] {
  const worst = (prefix: string): MeasuredQuestion | undefined =>
    measured
      .filter(({ path }) => path.startsWith(prefix))
      .toSorted((a, b) => b.p50 / b.ceiling - a.p50 / a.ceiling)[0]
  const slowest = (what: string, prefix: string): Promised[] => {
    const found = worst(prefix)
    if (!found) return []
    return [
      {
        what: `${what}, the slowest filter (${found.name.replace(/^\S+, /, '')})`,
        ceiling: `≤ ${found.ceiling} ms`,
        found: `${found.p50.toFixed(1)} ms`,
        isMet: found.p50 <= found.ceiling,
      },
    ]
  }
  const total = sizes.table + sizes.indexes
  return [
    ...slowest('a page of the log', '/api/v1/logs?'),
    ...slowest('analytics', '/api/v1/analytics'),
    ...slowest('cost summary of a filter', '/api/v1/logs/summary'),
    ...slowest('percentiles of a filter', '/api/v1/logs/percentiles'),
    grew('first export of the process', first),
    grew('export after it', exported),
    {
      what: `retention of ${forgotten.rows.toLocaleString('en')} rows`,
      ceiling: '< 1 s',
      found: `${forgotten.seconds.toFixed(2)} s`,
      isMet: forgotten.seconds < 1,
    },
    {
      what: `bytes a row: ${sizes.table.toFixed(0)} table, ${sizes.indexes.toFixed(0)} indexes (and ${sizes.sums.toFixed(0)} for the sums)`,
      ceiling: '< 500',
      found: total.toFixed(0),
      isMet: total < 500,
    },
  ]
}

function grew(what: string, { rows, megabytes, seconds, grownBy }: Exported): Promised {
  return {
    what: `${what}, ${rows.toLocaleString('en')} rows (${megabytes.toFixed(0)} MB in ${seconds.toFixed(0)} s), memory`,
    ceiling: '< 50 MB more',
    found: `${grownBy.toFixed(0)} MB more`,
    isMet: grownBy < 50,
  }
}
