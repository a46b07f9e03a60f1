import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

export interface JournalState {
  /** Bytes of segments: copied a moment ago, or waiting for the database. */
  bytes: number
  /** Files with rows that the database did not take, and damaged segments: for a person to look at. */
  laidAside: string[]
}

/** What lies in the journal of a data directory, seen from outside. */
export async function lookIntoJournal(dataDir: string): Promise<JournalState> {
  const root = join(dataDir, 'journal')
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  const state: JournalState = { bytes: 0, laidAside: [] }
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    if (entry.name === 'rejected.ndjson' || entry.name.endsWith('.damaged')) state.laidAside.push(path)
    else if (entry.name.endsWith('.log')) state.bytes += (await stat(path).catch(() => ({ size: 0 }))).size
  }
  return state
}
