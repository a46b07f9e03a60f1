export { BoundedCache, ReadCache, type ReadCacheOptions } from './caches.ts'
export { cacheStatistics, type CacheStatistics } from './statistics.ts'
