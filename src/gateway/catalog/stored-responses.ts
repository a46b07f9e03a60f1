import type { Kysely } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { BoundedCache } from '#kernel/cache'
import { isDatabaseBusy, isDatabaseDown } from '#kernel/db'
import { Fault, faults } from '#kernel/errors'
import type { Log } from '#kernel/log'
import type { GatewayTables } from './provider-store.ts'
import {
  deleteStoredBefore,
  deleteStoredResponse,
  findStoredResponse,
  insertStoredResponses,
  type StoredResponse,
} from './stored-response-store.ts'

export type { StoredResponse } from './stored-response-store.ts'

/** Twice as long as a provider stores a response. */
const keptDays = 60
/** Of those that wait for the database, and of those that it has; the oldest are dropped first. */
const maxInMemory = 10_000
const batch = 500
const retryMs = 500
/** Another process may have made the response just now, and may have failed to write it at first. */
const otherProcessMs = [300, 1_000]

/** Remembers which key made a response. No request waits for the database: rows are written right after. */
export class StoredResponses {
  readonly #db: Kysely<GatewayTables>
  readonly #log: Log
  readonly #waiting = new Map<string, StoredResponse>()
  /** A conversation that continues soon needs no query, and continues while the database is unavailable. */
  readonly #written = new BoundedCache<string, StoredResponse>('stored_responses', maxInMemory)
  #writing: Promise<void> | undefined
  #retry: NodeJS.Timeout | undefined

  constructor(db: Kysely<GatewayTables>, log: Log) {
    this.#db = db
    this.#log = log
  }

  note(made: StoredResponse): void {
    this.#waiting.set(made.id, made)
    const [oldest] = this.#waiting.keys()
    if (this.#waiting.size > maxInMemory && oldest !== undefined) this.#waiting.delete(oldest)
    this.#write()
  }

  async find(
    id: string,
    owner: { groupId: string; apiKeyId: string | null },
  ): Promise<StoredResponse | undefined> {
    // It becomes part of the path of a call. Only keys own responses.
    if (owner.apiKeyId === null || !/^resp_[\w-]{1,190}$/.test(id)) return undefined
    let found = await this.#look(id)
    for (const ms of otherProcessMs) {
      if (found) break
      await sleep(ms)
      found = await this.#look(id)
    }
    return found?.group_id === owner.groupId && found.api_key_id === owner.apiKeyId ? found : undefined
  }

  async #look(id: string): Promise<StoredResponse | undefined> {
    const known = this.#waiting.get(id) ?? this.#written.get(id)
    try {
      return known ?? (await findStoredResponse(this.#db, id))
    } catch (cause) {
      if (!isDatabaseDown(cause) && !isDatabaseBusy(cause)) throw cause
      const message = 'Who made the response cannot be read: the database is unavailable. Try again.'
      throw new Fault(faults.unavailable, message, { cause, headers: { 'retry-after': '2' } })
    }
  }

  async forget(id: string): Promise<void> {
    await this.#writing
    this.#waiting.delete(id)
    this.#written.delete(id)
    await deleteStoredResponse(this.#db, id)
  }

  async forgetOld(): Promise<void> {
    await deleteStoredBefore(this.#db, new Date(Date.now() - keptDays * 86_400_000))
  }

  async stop(): Promise<void> {
    clearTimeout(this.#retry)
    await this.#writing
  }

  #write(): void {
    if (this.#writing || this.#retry) return
    this.#writing = this.#writeAll()
      .catch((error: unknown) => {
        this.#log.warn({ error }, 'who made stored responses could not be written; it is tried again')
        this.#retry = setTimeout(() => {
          this.#retry = undefined
          this.#write()
        }, retryMs).unref()
      })
      .finally(() => (this.#writing = undefined))
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const rows = [...this.#waiting.values()].slice(0, batch)
      await insertStoredResponses(this.#db, rows).catch((error: unknown) => this.#withoutDeleted(rows, error))
      for (const row of rows) this.#keepWritten(row)
    }
  }

  #keepWritten(row: StoredResponse): void {
    // It may have been forgotten meanwhile.
    if (!this.#waiting.delete(row.id)) return
    this.#written.set(row.id, row)
  }

  /** The group of one of them may have been deleted meanwhile. */
  async #withoutDeleted(rows: readonly StoredResponse[], error: unknown): Promise<void> {
    if ((error as { code?: string }).code !== '23503') throw error
    for (const row of rows)
      await insertStoredResponses(this.#db, [row]).catch((each: unknown) => {
        if ((each as { code?: string }).code !== '23503') throw each
      })
  }
}
