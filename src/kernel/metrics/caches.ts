import { Counter, Gauge, type Registry } from 'prom-client'
import { cacheStatistics } from '#kernel/cache'

/** Read from the caches at each scrape: counting on every lookup through Prometheus would cost more than the lookup. */
export function collectCacheMetrics(registry: Registry): void {
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
