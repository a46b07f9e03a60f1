import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

export interface JournalState {
  /** Bytes of segments, including those that were copied a moment ago. */
  bytes: number
  /** Files that need a person: rows that the database rejected, and damaged segments. */
  setAsideFiles: string[]
}

export const journalFolder = (dataDir: string): string => join(dataDir, 'journal')

/** The state of the usage journal in a data directory, whether or not a server is running. */
export async function inspectJournal(dataDir: string): Promise<JournalState> {
  const root = journalFolder(dataDir)
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  const state: JournalState = { bytes: 0, setAsideFiles: [] }
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    if (entry.name === 'rejected.ndjson' || entry.name.endsWith('.damaged')) state.setAsideFiles.push(path)
    else if (entry.name.endsWith('.log')) state.bytes += (await stat(path).catch(() => ({ size: 0 }))).size
  }
  return state
}
