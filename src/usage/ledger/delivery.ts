import { appendFile } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type pg from 'pg'
import { messageOf } from '#kernel/errors'
import type { Log } from '#kernel/log'
import { requestTime } from '#kernel/uuid'
import type { PriceCatalog } from '../cost/price-catalog.ts'
import { priceOnce } from '../cost/price-request.ts'
import { dayMs, startOfDay } from '../log/id-time.ts'
import { insertWritten } from './insert.ts'
import type { LedgerMetrics } from './metrics.ts'
import { readSettled, type Settled } from './records.ts'
import type { LedgerRow } from '../row.ts'
import { RowBuffer, type WrittenRow } from './row-buffer.ts'
import type { WaitingRow } from './source.ts'

export interface DeliveryDeps {
  pool: pg.Pool
  log: Log
  metrics: LedgerMetrics
  prices: Pick<PriceCatalog, 'priceFor' | 'loadBackTo'>
  /** Where rows are saved that the database rejects. */
  rejectedFile: string
  ensurePartitions(from: Date, to: Date): Promise<void>
}

/** Rows priced in one turn of the event loop: a running request may wait for it. */
const sliceRows = 5

/** Prices rows and inserts them. Throws when the database fails; a row that it rejects does not hold up the others. */
export function createDelivery(deps: DeliveryDeps) {
  const { pool, log, metrics, prices, rejectedFile, ensurePartitions } = deps

  /** Undefined while a delivery uses it. A failed delivery does not return it: its statement may still be reading it. */
  let spare: RowBuffer | undefined

  async function deliver(waiting: readonly WaitingRow[]): Promise<void> {
    const [first] = waiting
    if (!first) return
    const buffer = spare ?? new RowBuffer()
    spare = undefined
    const oldest = waiting.reduce((oldestId, { id }) => (id < oldestId ? id : oldestId), first.id)
    await prices.loadBackTo(requestTime(`req_${oldest}`))
    const rows: WrittenRow[] = []
    const spent: LedgerRow[] = []
    for (const [index, each] of waiting.entries()) {
      if (index % sliceRows === sliceRows - 1) await nextTurn()
      try {
        const priced = priceOnce(settledFrom(each), prices)
        rows.push(buffer.add(priced))
        spent.push(priced)
      } catch (error) {
        await reject(each.id, jsonOf(each), error)
      }
    }
    await insert(buffer, rows)
    metrics.spent(spent)
    buffer.clear()
    spare = buffer
  }

  async function insert(buffer: RowBuffer, rows: readonly WrittenRow[]): Promise<void> {
    if (rows.length === 0) return
    try {
      await withPartitions(buffer, rows)
      metrics.copied(rows.length)
    } catch (error) {
      if (!isRejection(error)) throw error
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
      if (isConflict(error)) return insertWritten(pool, buffer, rows)
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
      'the database rejected a row of the usage log; it was saved to a file',
    )
  }

  return deliver
}

function settledFrom({ id, record }: WaitingRow): Settled {
  return Buffer.isBuffer(record) ? readSettled(id, record) : record
}

function jsonOf({ record }: WaitingRow): string {
  if (Buffer.isBuffer(record)) return record.toString()
  const { priced: _priced, ...facts } = record
  return JSON.stringify(facts)
}

/** Bad data, violated constraints and exceeded limits are permanent; every other failure is temporary. */
function isRejection(error: unknown): boolean {
  return /^(22|23|54)/.test(codeOf(error))
}

/** A conflict with another process that writes the same sums; an immediate retry succeeds. */
function isConflict(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error))
}

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? ''
}
