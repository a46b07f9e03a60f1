import type { Kysely } from 'kysely'
import { usageLog } from '../contract.ts'
import type { UsageTables } from '../tables.ts'
import { countMonths } from './count-store.ts'
import { csvLine } from './csv.ts'
import type { Filter } from './filter.ts'
import { dayMs, dayText, lowestId } from './id-time.ts'
import type { LogRow } from './log-store.ts'
import { readRows } from './read-log.ts'
import { toUsageLog } from './shapes.ts'

type Db = Kysely<UsageTables>

export interface ExportForm {
  format: 'csv' | 'json'
  guardFormulas: boolean
}

const rowsAtOnce = 1_000

/**
 * The rows of a filter as a file, newest first, piece by piece. Each piece is a short query of its own, so that a slow
 * reader holds neither memory nor a connection nor a table that retention wants to drop.
 */
export async function* exportRows(db: Db, filter: Filter, form: ExportForm): AsyncGenerator<string> {
  yield form.format === 'csv' ? csvLine(Object.keys(usageLog.shape), false) : '['
  let isFirst = true
  for await (const rows of pieces(db, filter)) {
    yield rows.map((row, at) => written(row, form, isFirst && at === 0)).join('')
    isFirst = false
  }
  if (form.format === 'json') yield '\n]\n'
}

function written(row: LogRow, { format, guardFormulas }: ExportForm, isFirst: boolean): string {
  const shown = toUsageLog(row)
  if (format === 'json') return `${isFirst ? '\n' : ',\n'}${JSON.stringify(shown)}`
  return csvLine(Object.values(shown), guardFormulas)
}

async function* pieces(db: Db, filter: Filter): AsyncGenerator<LogRow[]> {
  const counts = await countMonths(db, filter)
  // What comes after the beginning is not part of it, or a busy log would never end.
  let before = lowestId(new Date(Date.now() + 1))
  for (;;) {
    const rows = await readRows(db, filter, counts, { before, offset: 0 }, rowsAtOnce)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < rowsAtOnce) return
    before = last.id
  }
}

/** `signalbox-usage-2026-11-01-to-2026-11-15.csv` */
export function fileName({ from, to }: Filter, format: string, now: Date): string {
  const last = to ? new Date(to.getTime() - dayMs) : now
  return `signalbox-usage${from ? `-${dayText(from)}-to` : '-to'}-${dayText(last)}.${format}`
}
