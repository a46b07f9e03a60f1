import type { Kysely } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
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
/** Those that wait for the database; more are forgotten, the oldest first. */
const maxWaiting = 10_000
const batch = 500
const retryMs = 5_000
/** Another process may have made the response just now. */
const otherProcessMs = 300

/** Remembers which key made a response. No request waits for the database: rows are written right after. */
export class StoredResponses {
  readonly #db: Kysely<GatewayTables>
  readonly #log: Log
  readonly #waiting = new Map<string, StoredResponse>()
  #writing: Promise<void> | undefined
  #retry: NodeJS.Timeout | undefined

  constructor(db: Kysely<GatewayTables>, log: Log) {
    this.#db = db
    this.#log = log
  }

  note(made: StoredResponse): void {
    this.#waiting.set(made.id, made)
    const [oldest] = this.#waiting.keys()
    if (this.#waiting.size > maxWaiting && oldest !== undefined) this.#waiting.delete(oldest)
    this.#write()
  }

  async find(id: string, owner: { groupId: string; apiKeyId: string }): Promise<StoredResponse | undefined> {
    let found = this.#waiting.get(id) ?? (await findStoredResponse(this.#db, id))
    if (!found) {
      await sleep(otherProcessMs)
      found = await findStoredResponse(this.#db, id)
    }
    return found?.group_id === owner.groupId && found.api_key_id === owner.apiKeyId ? found : undefined
  }

  async forget(id: string): Promise<void> {
    await this.#writing
    this.#waiting.delete(id)
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
      for (const { id } of rows) this.#waiting.delete(id)
    }
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
