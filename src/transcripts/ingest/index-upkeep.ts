import type pg from 'pg'
import { sortInWords } from '../store/search-store.ts'

/** A search reads the list of new words to its end: so many messages take some milliseconds. */
const maxWaiting = 5_000
const quietMs = 1_000

export interface IndexUpkeep {
  /** So many messages were stored. */
  stored(messages: number): void
  close(): Promise<void>
}

/** Sorts new words into the index of the search, beside the import: after many messages, and when no more come. */
export function createIndexUpkeep(pool: pg.Pool): IndexUpkeep {
  let waiting = 0
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  function run(): void {
    clearTimeout(timer)
    if (running !== undefined || waiting === 0) return
    waiting = 0
    running = sortInWords(pool)
      // The database does it too, some minutes later.
      .catch(() => undefined)
      .finally(() => (running = undefined))
  }

  return {
    stored(messages) {
      if (messages === 0) return
      waiting += messages
      if (waiting >= maxWaiting) return run()
      clearTimeout(timer)
      timer = setTimeout(run, quietMs)
      timer.unref()
    },
    async close() {
      clearTimeout(timer)
      await running
    },
  }
}
