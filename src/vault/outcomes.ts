import type { Kysely } from 'kysely'
import { isDatabaseDown } from '#kernel/db'
import { maskFor, type Log, type Secret } from '#kernel/log'
import { mask } from '#kernel/mask'
import { saveOutcomes, type Outcome } from './key-store.ts'
import type { VaultTables } from './tables.ts'

export interface Outcomes {
  /** How a call with a key ended: null for success, which clears the error, or the provider's message. */
  note(keyId: string, error: string | null): void
  /** Saves what was noted so far. */
  flush(): Promise<void>
  start(): void
  stop(): Promise<void>
}

const flushMs = 5_000
const longestError = 500

/** Collects how calls with keys ended and saves them in batches, so that no request waits for it. */
export function createOutcomes(
  db: Kysely<VaultTables>,
  log: Log,
  openedKey: (keyId: string) => Secret | undefined,
): Outcomes {
  let waiting = new Map<string, Outcome>()
  let timer: NodeJS.Timeout | undefined

  /** Providers often repeat the key in their error message. */
  function withoutKey(keyId: string, error: string): string {
    const key = openedKey(keyId)
    return (key ? maskFor(key).text(error) : mask(error)).slice(0, longestError)
  }

  async function flush(): Promise<void> {
    if (waiting.size === 0) return
    const batch = waiting
    waiting = new Map()
    try {
      await saveOutcomes(db, batch)
    } catch (error) {
      for (const [id, outcome] of batch) if (!waiting.has(id)) waiting.set(id, outcome)
      if (!isDatabaseDown(error)) log.error({ error }, 'the last use of provider keys could not be saved')
    }
  }

  return {
    note(keyId, error) {
      waiting.set(keyId, { at: new Date(), error: error === null ? null : withoutKey(keyId, error) })
    },
    flush,
    start() {
      timer = setInterval(() => void flush(), flushMs).unref()
    },
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}
