import { sql, type Kysely, type RawBuilder } from 'kysely'
import { lowestId } from '#kernel/uuid'
import type { UsageTables } from '../tables.ts'
import type { Filter } from './filter.ts'
import { dayText } from './id-time.ts'
import { csvHead, lineOf, type ExportForm } from './lines.ts'
import type { LogRow } from './log-store.ts'
import { countRows, pageQuery } from './read-log.ts'

type Db = Kysely<UsageTables>

interface Piece {
  text: string
  count: number
  /** The id of its oldest row. */
  last: string
}

const rowsAtOnce = 500

/**
 * The rows of a filter as a file, newest first, piece by piece. Each piece is a short query of its own, so that a slow
 * reader holds neither memory nor a connection nor a table that retention wants to drop.
 */
export async function* exportRows(db: Db, filter: Filter, form: ExportForm): AsyncGenerator<string> {
  const isJson = form.format === 'json'
  yield isJson ? '[' : csvHead
  let isFirst = true
  for await (const { text } of pieces(db, filter, form)) {
    yield isJson ? `${isFirst ? '\n' : ',\n'}${text}` : `${text}\r\n`
    isFirst = false
  }
  if (isJson) yield '\n]\n'
}

async function* pieces(db: Db, filter: Filter, form: ExportForm): AsyncGenerator<Piece> {
  const counts = await countRows(db, filter)
  // What comes after the beginning is not part of it, or a busy log would never end.
  let before = lowestId(new Date(Date.now() + 1))
  for (;;) {
    const query = await pageQuery(db, filter, counts, { before, offset: 0 }, rowsAtOnce)
    const piece = query && (await readPiece(db, query, form))
    if (!piece || piece.count === 0) return
    yield piece
    if (piece.count < rowsAtOnce) return
    before = piece.last
  }
}

async function readPiece(db: Db, query: RawBuilder<LogRow>, form: ExportForm): Promise<Piece> {
  const between = form.format === 'json' ? ',\n' : '\r\n'
  const { rows } = await sql<{ text: string | null; count: number; last: string }>`
    select string_agg(${lineOf(form)}, ${between}::text order by id desc) as text, count(*)::integer as count,
      (array_agg(id order by id))[1] as last
    from (${query}) as wanted`.execute(db)
  const [row] = rows
  return { text: row?.text ?? '', count: row?.count ?? 0, last: row?.last ?? '' }
}

/** `signalbox-usage-2026-11-01-to-2026-11-15.csv` */
export function fileName({ from, to }: Filter, format: string, now: Date): string {
  const last = to ? new Date(to.getTime() - 1) : now
  return `signalbox-usage${from ? `-${dayText(from)}` : ''}-to-${dayText(last)}.${format}`
}
