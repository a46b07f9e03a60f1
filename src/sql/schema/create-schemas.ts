import { BoundedCache } from '#kernel/cache'
import type { DatabaseOfGroup } from '../database/places.ts'
import type { Runner } from '../run/runner.ts'
import { readSchema, type FoundSchema } from './read-schema.ts'

export interface Schemas {
  /** `isFresh`: not from the cache, for after a change of the structure. */
  read(at: DatabaseOfGroup, owner: string, isFresh: boolean): Promise<FoundSchema>
}

interface Kept {
  schema: Promise<FoundSchema>
  until: number
}

/** People who open the page together, and the page itself after each statement, share one read. */
const keptMs = 10_000

export function createSchemas(runner: Pick<Runner, 'lookUp'>): Schemas {
  const kept = new BoundedCache<string, Kept>('sql_schemas', 20)
  return {
    read(at, owner, isFresh) {
      const key = JSON.stringify([at.groupId, at.database])
      const known = kept.get(key)
      if (known && known.until > performance.now() && !isFresh) return known.schema
      const schema = readSchema((sql, values) => runner.lookUp(at, sql, values, owner))
      const entry = { schema, until: performance.now() + keptMs }
      kept.set(key, entry)
      // One that failed is tried again by the next.
      schema.catch(() => (entry.until = 0))
      return schema
    },
  }
}
