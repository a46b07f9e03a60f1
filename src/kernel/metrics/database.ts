import { Gauge, type Registry } from 'prom-client'

/** The heartbeat of the connection over which changes are announced. */
export interface HeartbeatSource {
  lastHeartbeat(): { at: number; clockAheadMs: number } | undefined
}

export function collectDatabaseMetrics(registry: Registry, listener: HeartbeatSource): void {
  // Of several workers the worst counts.
  const shared = { registers: [registry], aggregator: 'max' as const }
  new Gauge({
    ...shared,
    name: 'signalbox_database_heartbeat_age_seconds',
    help: 'Time since the connection for notifications last got a response from the database',
    collect() {
      const last = listener.lastHeartbeat()
      if (last) this.set((Date.now() - last.at) / 1000)
    },
  })
  new Gauge({
    ...shared,
    name: 'signalbox_database_clock_ahead_seconds',
    help: "How far this server's clock is ahead of the database's",
    collect() {
      const last = listener.lastHeartbeat()
      if (last) this.set(last.clockAheadMs / 1000)
    },
  })
}
