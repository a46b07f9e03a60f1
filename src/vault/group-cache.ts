import { isDatabaseDown } from '#kernel/db'
import { Fault, faults } from '#kernel/errors'

interface Entry<T> {
  value: T
  generation: number
  /** Not to be looked up again before this moment, while the database is away. */
  retryAt: number
}

export interface GroupCache<T> {
  get(groupId: string): T | Promise<T>
  /** Something changed in the database: each group is read again on its next use. */
  changed(): void
}

const maximumEntries = 10_000
const retryMs = 1_000

/** What each group has, kept in memory. While the database is away what is known stays good. */
export function createGroupCache<T>(read: (groupId: string) => Promise<T>): GroupCache<T> {
  const entries = new Map<string, Entry<T>>()
  const loading = new Map<string, { generation: number; value: Promise<T> }>()
  let generation = 0

  async function load(groupId: string, old: Entry<T> | undefined): Promise<T> {
    const startedIn = generation
    try {
      const value = await read(groupId)
      if (entries.size >= maximumEntries) entries.clear()
      entries.set(groupId, { value, generation: startedIn, retryAt: 0 })
      return value
    } catch (error) {
      if (!isDatabaseDown(error)) throw error
      if (!old)
        throw new Fault(
          faults.unavailable,
          'The provider keys cannot be read: the database cannot be reached.',
          {
            cause: error,
          },
        )
      old.retryAt = Date.now() + retryMs
      return old.value
    } finally {
      if (loading.get(groupId)?.generation === startedIn) loading.delete(groupId)
    }
  }

  return {
    get(groupId) {
      const entry = entries.get(groupId)
      if (entry && (entry.generation === generation || entry.retryAt > Date.now())) return entry.value
      const pending = loading.get(groupId)
      // A read that began before the change may have seen what was before it.
      if (pending?.generation === generation) return pending.value
      const value = load(groupId, entry)
      loading.set(groupId, { generation, value })
      return value
    },
    changed: () => void generation++,
  }
}
