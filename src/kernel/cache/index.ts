export { BoundedCache } from './bounded-cache.ts'
export { ReadCache, type ReadCacheOptions } from './read-cache.ts'
export { cacheStatistics, type CacheStatistics } from './statistics.ts'
