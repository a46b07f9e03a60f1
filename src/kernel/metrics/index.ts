import cluster from 'node:cluster'
import { AggregatorRegistry, collectDefaultMetrics, Registry, Counter, Gauge } from 'prom-client'
import { askPrimaryForMetrics } from './across-workers.ts'
import { cacheStatistics } from '#kernel/cache'
import { createHistogram, type Observer } from './histogram.ts'

export { answerWorkersWithMetrics } from './across-workers.ts'
export { createHistogram, type Observer } from './histogram.ts'
export { collectJobMetrics, collectOpen, collectReplicaMetrics } from './process-state.ts'
export { collectQueueMetrics } from './queues.ts'

export interface Metrics {
  registry: Registry
  /** Counts the requests of one route. */
  requestsOf(route: string): (method: string, status: number, ms: number) => void
  /** Prometheus text: of this process, or of all workers together. */
  text(): Promise<string>
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Gauges with a name that only counters may have; those by type say the same.
  for (const name of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`nodejs_active_${name}_total`)
  collectCacheMetrics(registry)
  const requests = createHistogram({
    name: 'signalbox_http_request_seconds',
    help: 'Duration of HTTP requests by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 120],
    registers: [registry],
  })
  if (cluster.isWorker) {
    AggregatorRegistry.setRegistries([registry])
    // Constructing one makes this worker answer the primary's question for its numbers.
    new AggregatorRegistry()
  }
  return {
    registry,
    requestsOf(route) {
      // Finding a histogram by its labels costs more than counting in it.
      const found = new Map<string, Observer>()
      return (method, status, ms) => {
        const name = method + status
        let histogram = found.get(name)
        if (!histogram) found.set(name, (histogram = requests(method, route, String(status))))
        histogram.observe(ms / 1000)
      }
    },
    text: () => (cluster.isWorker ? askPrimaryForMetrics() : registry.metrics()),
  }
}

/** Read from the caches at each scrape: counting on every lookup through Prometheus would cost more than the lookup. */
function collectCacheMetrics(registry: Registry): void {
  const shared = { labelNames: ['cache'], registers: [registry] }
  new Counter({
    ...shared,
    name: 'signalbox_cache_hits_total',
    help: 'Lookups served from memory, by cache',
    collect() {
      this.reset()
      for (const { name, hits } of cacheStatistics()) this.inc({ cache: name }, hits)
    },
  })
  new Counter({
    ...shared,
    name: 'signalbox_cache_misses_total',
    help: 'Lookups that had to be read or calculated, by cache',
    collect() {
      this.reset()
      for (const { name, misses } of cacheStatistics()) this.inc({ cache: name }, misses)
    },
  })
  new Gauge({
    ...shared,
    name: 'signalbox_cache_entries',
    help: 'Entries in memory, by cache',
    collect() {
      this.reset()
      for (const { name, size } of cacheStatistics()) this.set({ cache: name }, size)
    },
  })
}

/** Which version runs, from which commit, to be joined with the other metrics. */
export function collectBuildInfo(registry: Registry, build: { version: string; commit: string }): void {
  const labels = { ...build, node: process.versions.node }
  new Gauge({
    name: 'signalbox_build_info',
    help: 'Always 1; the labels say which version runs',
    labelNames: Object.keys(labels),
    registers: [registry],
    aggregator: 'max',
    collect() {
      this.set(labels, 1)
    },
  })
}

/** The connections of one pool. */
interface PoolSource {
  totalCount: number
  idleCount: number
  waitingCount: number
}

export function collectPoolMetrics(registry: Registry, pools: Readonly<Record<string, PoolSource>>): void {
  new Gauge({
    name: 'signalbox_database_connections',
    help: 'Connections to the database by pool, and the requests that wait for one',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
        this.set({ pool, state: 'busy' }, totalCount - idleCount)
        this.set({ pool, state: 'idle' }, idleCount)
        this.set({ pool, state: 'waiting' }, waitingCount)
      }
    },
  })
}

/** The heartbeat of the connection over which changes are announced. */
interface HeartbeatSource {
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
