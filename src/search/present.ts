import { messageOf } from '#kernel/errors'
import type { Log } from '#kernel/log'
import type { SearchKind } from '#kernel/search'

interface FoundDocument {
  kind: string
  document_id: string
  at: Date
}

/**
 * Leaves out what was deleted since the index heard of it, which takes it up to as long as a round over all its
 * documents: their own part is asked. What it cannot say is not shown either.
 */
export function createPresent(kinds: ReadonlyMap<string, SearchKind>, log: Log) {
  async function missingOf(kind: string, found: readonly FoundDocument[]): Promise<ReadonlySet<string>> {
    const documents = new Map(found.map(({ document_id: id, at }) => [id, { id, at }]))
    try {
      return new Set(await kinds.get(kind)?.missing([...documents.values()]))
    } catch (error) {
      log.warn({ kind, reason: messageOf(error) }, 'a search leaves out a kind that could not be asked')
      return new Set(documents.keys())
    }
  }

  return async function present<T extends FoundDocument>(found: readonly T[]): Promise<T[]> {
    const missing = new Map<string, ReadonlySet<string>>()
    // One after the other: a caller has few connections.
    for (const [kind, of] of Map.groupBy(found, (each) => each.kind))
      missing.set(kind, await missingOf(kind, of))
    return found.filter(({ kind, document_id }) => !missing.get(kind)?.has(document_id))
  }
}
