import { appendFile } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type pg from 'pg'
import { messageOf } from '#kernel/errors'
import { requestTime } from '#kernel/http'
import type { Log } from '#kernel/log'
import type { PriceBook } from '../cost/price-book.ts'
import { reckon } from '../cost/reckon.ts'
import { dayMs, startOfDay } from '../log/id-time.ts'
import { insertWritten } from './insert.ts'
import type { LedgerMetrics } from './metrics.ts'
import { readSettled, type Settled } from './records.ts'
import { RowBuffer, type WrittenRow } from './row-buffer.ts'
import type { WaitingRow } from './source.ts'

export interface DeliveryDeps {
  pool: pg.Pool
  log: Log
  metrics: LedgerMetrics
  prices: Pick<PriceBook, 'priceFor' | 'reachBack'>
  /** Where rows go that the database does not take. */
  rejectedFile: string
  ensurePartitions(from: Date, to: Date): Promise<void>
}

/** As many are reckoned in one go as others hardly notice: a request may be waiting for its turn. */
const sliceRows = 5

/** Reckons rows and brings them into the database. Throws when that is not well; a row at fault holds up no other. */
export function createDelivery(deps: DeliveryDeps) {
  const { pool, log, metrics, prices, rejectedFile, ensurePartitions } = deps

  /** Missing while a delivery uses it. One that fails lets it go: its statement may not be done with it. */
  let spare: RowBuffer | undefined

  async function deliver(waiting: readonly WaitingRow[]): Promise<void> {
    const [first] = waiting
    if (!first) return
    const buffer = spare ?? new RowBuffer()
    spare = undefined
    const oldest = waiting.reduce((least, { id }) => (id < least ? id : least), first.id)
    await prices.reachBack(requestTime(`req_${oldest}`))
    const rows: WrittenRow[] = []
    for (const [index, each] of waiting.entries()) {
      if (index % sliceRows === sliceRows - 1) await nextTurn()
      try {
        rows.push(buffer.add(reckon(settledOf(each), prices)))
      } catch (error) {
        await reject(each.id, textOf(each), error)
      }
    }
    await insert(buffer, rows)
    buffer.clear()
    spare = buffer
  }

  async function insert(buffer: RowBuffer, rows: readonly WrittenRow[]): Promise<void> {
    if (rows.length === 0) return
    try {
      await withPartitions(buffer, rows)
      metrics.copied(rows.length)
    } catch (error) {
      if (!isRowsFault(error)) throw error
      if (rows.length === 1 && rows[0]) return reject(rows[0].id, buffer.textOf(rows[0]), error)
      const middle = Math.ceil(rows.length / 2)
      await insert(buffer, rows.slice(0, middle))
      await insert(buffer, rows.slice(middle))
    }
  }

  async function withPartitions(buffer: RowBuffer, rows: readonly WrittenRow[]): Promise<void> {
    try {
      await insertWritten(pool, buffer, rows)
    } catch (error) {
      if (wasLockedOut(error)) return insertWritten(pool, buffer, rows)
      if (codeOf(error) !== '23514') throw error
      const days = new Set(rows.map(({ id }) => startOfDay(requestTime(`req_${id}`)).getTime()))
      for (const day of days) await ensurePartitions(new Date(day), new Date(day + dayMs - 1))
      await insertWritten(pool, buffer, rows)
    }
  }

  async function reject(id: string, row: string, error: unknown): Promise<void> {
    const reason = messageOf(error)
    await appendFile(rejectedFile, `{"reason":${JSON.stringify(reason)},"row":${row}}\n`, {
      mode: 0o600,
      flush: true,
    })
    metrics.rejected()
    log.error(
      { requestId: `req_${id}`, reason, file: rejectedFile },
      'the database does not take a row of the usage log; it was laid aside',
    )
  }

  return deliver
}

function settledOf({ id, record }: WaitingRow): Settled {
  return Buffer.isBuffer(record) ? readSettled(id, record) : record
}

function textOf({ record }: WaitingRow): string {
  return Buffer.isBuffer(record) ? record.toString() : JSON.stringify(record)
}

/** Bad data, broken constraints and exceeded limits lie with a row; everything else passes with time. */
function isRowsFault(error: unknown): boolean {
  return /^(22|23|54)/.test(codeOf(error))
}

/** By another process that writes the same sums: at once again, and it goes. */
function wasLockedOut(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error))
}

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? ''
}
