import cluster from 'node:cluster'
import { AggregatorRegistry, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { askPrimaryForMetrics } from './across-workers.ts'
import { collectCacheMetrics } from './caches.ts'

export { answerWorkersWithMetrics } from './across-workers.ts'
export { collectDatabaseMetrics } from './database.ts'

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
  const requests = new Histogram({
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
      const found = new Map<string, ReturnType<typeof requests.labels>>()
      return (method, status, ms) => {
        const name = method + status
        let histogram = found.get(name)
        if (!histogram) found.set(name, (histogram = requests.labels(method, route, String(status))))
        histogram.observe(ms / 1000)
      }
    },
    text: () => (cluster.isWorker ? askPrimaryForMetrics() : registry.metrics()),
  }
}
