import { Counter, Gauge } from 'prom-client'
import type { Metrics } from '#kernel/metrics'
import type { Spent } from './request-metrics.ts'

export interface LedgerMetrics {
  copied(rows: number): void
  /** What the rows of a delivery cost. */
  spent(rows: readonly Spent[]): void
  copyFailed(): void
  rejected(): void
  unmetered(): void
}

export interface LedgerState {
  running(): number
  waitingBytes(): number
  oldestWaitingMs(): number
}

export function createLedgerMetrics(
  { registry }: Metrics,
  state: LedgerState,
  spent: LedgerMetrics['spent'],
): LedgerMetrics {
  const registers = [registry]
  const counter = (name: string, help: string): Counter =>
    new Counter({ name: `signalbox_usage_${name}`, help, registers })
  new Gauge({
    name: 'signalbox_gateway_requests_running',
    help: 'Requests to models that have begun and not ended',
    registers,
    collect() {
      this.set(state.running())
    },
  })
  new Gauge({
    name: 'signalbox_usage_journal_waiting_bytes',
    help: 'Bytes of the usage journal that are not in the database yet',
    registers,
    collect() {
      this.set(state.waitingBytes())
    },
  })
  new Gauge({
    name: 'signalbox_usage_journal_oldest_waiting_seconds',
    help: 'Age of the oldest settled request that is not in the database yet',
    registers,
    aggregator: 'max',
    collect() {
      this.set(state.oldestWaitingMs() / 1000)
    },
  })
  const copied = counter('rows_copied_total', 'Rows of the usage log copied to the database')
  const failures = counter('copy_failures_total', 'Failed attempts to copy rows to the database')
  const rejected = counter(
    'rows_rejected_total',
    'Rows that the database rejected, saved in journal/rejected.ndjson',
  )
  const unmetered = counter(
    'requests_unmetered_total',
    'Requests served although they could not be written to the journal',
  )
  return {
    spent,
    copied: (rows) => copied.inc(rows),
    copyFailed: () => failures.inc(),
    rejected: () => rejected.inc(),
    unmetered: () => unmetered.inc(),
  }
}
