import { appendFile } from 'node:fs/promises'
import type pg from 'pg'
import { messageOf } from '#kernel/errors'
import { requestTime } from '#kernel/http'
import type { Log } from '#kernel/log'
import { dayMs, startOfDay } from '../log/id-time.ts'
import { insertWaiting } from './insert.ts'
import type { LedgerMetrics } from './metrics.ts'
import type { WaitingRow } from './source.ts'

export interface DeliveryDeps {
  pool: pg.Pool
  log: Log
  metrics: LedgerMetrics
  /** Where rows go that the database does not take. */
  rejectedFile: string
  ensurePartitions(from: Date, to: Date): Promise<void>
}

/** Brings rows into the database. Throws when the database is not well; a row that is at fault holds up no other. */
export function createDelivery({ pool, log, metrics, rejectedFile, ensurePartitions }: DeliveryDeps) {
  async function deliver(rows: readonly WaitingRow[]): Promise<void> {
    if (rows.length === 0) return
    try {
      await withPartitions(rows)
      metrics.copied(rows.length)
    } catch (error) {
      if (!isRowsFault(error)) throw error
      if (rows.length === 1 && rows[0]) return reject(rows[0], error)
      const middle = Math.ceil(rows.length / 2)
      await deliver(rows.slice(0, middle))
      await deliver(rows.slice(middle))
    }
  }

  async function withPartitions(rows: readonly WaitingRow[]): Promise<void> {
    try {
      await insertWaiting(pool, rows)
    } catch (error) {
      if (wasLockedOut(error)) return insertWaiting(pool, rows)
      if (codeOf(error) !== '23514') throw error
      const days = new Set(rows.map(({ id }) => startOfDay(requestTime(`req_${id}`)).getTime()))
      for (const day of days) await ensurePartitions(new Date(day), new Date(day + dayMs - 1))
      await insertWaiting(pool, rows)
    }
  }

  async function reject({ id, payload }: WaitingRow, error: unknown): Promise<void> {
    const reason = messageOf(error)
    await appendFile(rejectedFile, `{"reason":${JSON.stringify(reason)},"row":${payload.toString()}}\n`, {
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
