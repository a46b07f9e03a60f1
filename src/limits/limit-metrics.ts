import { Counter, Gauge } from 'prom-client'
import type { Metrics } from '#kernel/metrics'
import type { Metric } from './limit-shapes.ts'

/** `reserved`: by requests that run; `outage`: the database does not answer and the limit says `refuse`. */
export type RefusalReason = 'spent' | 'reserved' | 'unpriced' | 'outage'

/** Counts a call that a limit refused. */
export type Refused = (metric: Metric, reason: RefusalReason) => void

interface Shares {
  readonly size: number
  readonly isOut: boolean
}

export function createLimitMetrics({ registry }: Metrics, shares: () => Shares): Refused {
  const registers = [registry]
  const refused = new Counter({
    name: 'signalbox_limits_refused_total',
    help: 'Calls that a limit refused, by what it limits and why',
    labelNames: ['metric', 'reason'],
    registers,
  })
  new Gauge({
    name: 'signalbox_limits_shares',
    help: 'Windows of limits of which the processes hold a share',
    registers,
    collect() {
      this.set(shares().size)
    },
  })
  new Gauge({
    name: 'signalbox_limits_uncounted',
    help: '1 while limits cannot be counted because the database does not answer',
    registers,
    aggregator: 'max',
    collect() {
      this.set(shares().isOut ? 1 : 0)
    },
  })
  return (metric, reason) => refused.inc({ metric, reason })
}
