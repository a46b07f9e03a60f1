import type pg from 'pg'
import type { Log } from '#kernel/log'
import type { StoredEvent } from '../event.ts'
import { readHeads } from '../store/event-store.ts'
import { GroupStream } from './group-stream.ts'

export interface HubDeps {
  pool: pg.Pool
  log: Log
  heartbeatMs: number
}

const retryMs = 500

/**
 * The streams of this process, one for each group that had a reader. What news was lost with a connection is read when
 * it is back, and asked for with every heartbeat.
 */
export class StreamHub {
  readonly #deps: HubDeps
  readonly #groups = new Map<string, GroupStream>()
  #heartbeat: NodeJS.Timeout | undefined

  constructor(deps: HubDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#heartbeat = setInterval(() => this.#beat(), this.#deps.heartbeatMs).unref()
  }

  /** Ends every stream; clients resume elsewhere. */
  stop(): void {
    clearInterval(this.#heartbeat)
    for (const { readers } of this.#groups.values()) {
      for (const reader of readers) reader.end()
      readers.clear()
    }
  }

  /** The stream of a group, up to date: without readers the news is not followed. */
  async open(groupId: string): Promise<GroupStream> {
    const group = this.#groups.get(groupId) ?? new GroupStream(groupId, this.#deps)
    this.#groups.set(groupId, group)
    await this.#refresh([groupId])
    return group
  }

  /** Keys, members or groups have changed. */
  recheck(): void {
    for (const { readers } of this.#groups.values()) for (const reader of readers) reader.recheck()
  }

  /** Events that this process has committed; those of a group in its order. */
  publish(events: readonly StoredEvent[]): void {
    for (const [groupId, ofGroup] of Map.groupBy(events, (event) => event.groupId))
      this.#groups.get(groupId)?.publish(ofGroup)
  }

  /** All events of a group up to this sequence are committed. */
  advance(groupId: string, sequence: number): void {
    this.#groups.get(groupId)?.advance(sequence)
  }

  /** After an error it is not known what was committed. */
  check(): void {
    const followed = [...this.#groups.values()].filter(({ readers }) => readers.size > 0)
    if (followed.length === 0) return
    this.#refresh(followed.map(({ groupId }) => groupId)).catch(() =>
      setTimeout(() => this.check(), retryMs).unref(),
    )
  }

  async #refresh(groupIds: readonly string[]): Promise<void> {
    const heads = await readHeads(this.#deps.pool, groupIds)
    for (const { groupId, sequence } of heads) this.advance(groupId, sequence)
  }

  #beat(): void {
    for (const { readers } of this.#groups.values()) for (const reader of readers) reader.beat()
    this.check()
  }
}
