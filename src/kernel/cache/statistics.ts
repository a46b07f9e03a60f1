/** Counted by the caches themselves; several caches may share a name. */
export interface CacheCounts {
  hits: number
  misses: number
}

export interface CacheStatistics extends CacheCounts {
  name: string
  size: number
}

interface Named extends CacheCounts {
  caches: Set<WeakRef<{ readonly size: number }>>
}

/** All caches of this process, so that a new one shows up in the metrics without being passed around. */
const byName = new Map<string, Named>()

export function register(name: string, cache: { readonly size: number }): CacheCounts {
  const named = byName.get(name) ?? { hits: 0, misses: 0, caches: new Set() }
  byName.set(name, named)
  for (const reference of named.caches) if (!reference.deref()) named.caches.delete(reference)
  named.caches.add(new WeakRef(cache))
  return named
}

export function cacheStatistics(): CacheStatistics[] {
  return [...byName].map(([name, { hits, misses, caches }]) => ({
    name,
    hits,
    misses,
    size: [...caches].reduce((sum, reference) => sum + (reference.deref()?.size ?? 0), 0),
  }))
}
