import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { tryWithLock } from '#kernel/db'
import { messageOf } from '#kernel/errors'
import type { Log } from '#kernel/log'
import type { SearchKind } from '#kernel/search'
import type { Embedder } from '#embeddings'
import { embedWaiting } from './embed-waiting.ts'
import { createGather } from './gather.ts'
import type { NearestChunks } from './nearest.ts'
import { dropUnusedModels } from './vector-store.ts'

export interface Pace {
  /** Between two polls for changes. */
  pollMs: number
  sweepEveryMs: number
  /** Between two batches of embeddings. */
  restMs: number
  /** After a failure, such as an unavailable runtime. */
  retryMs: number
}

export const defaultPace: Pace = { pollMs: 3_000, sweepEveryMs: 30_000, restMs: 5, retryMs: 10_000 }

export interface IndexerDeps {
  pool: pg.Pool
  /** For the locks. */
  sessions: pg.Pool
  kinds: ReadonlyMap<string, SearchKind>
  embedder: Embedder
  nearest(): NearestChunks
  model(): Promise<number>
  log: Log
  pace: Pace
}

/**
 * Two rounds that know of each other only through the tables: one brings documents in, so that their words can be
 * found at once; the other embeds what is there. Of all processes one at a time does each.
 */
export function createIndexer(deps: IndexerDeps) {
  const { pool, log, pace } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const gather = createGather({ pool, log, signal, sweepEveryMs: pace.sweepEveryMs })
  const rounds: { woken: AbortController }[] = []
  let running: Promise<void>[] = []

  async function embed(): Promise<void> {
    const model = await deps.model()
    const { embedder, nearest } = deps
    await tryWithLock(deps.sessions, `search vectors ${model}`, async () => {
      await embedWaiting({ pool, embedder, nearest: nearest(), model, log, signal, restMs: pace.restMs })
      const dropped = await dropUnusedModels(pool)
      if (dropped > 0) log.info({ models: dropped }, 'vectors of models no longer in use were dropped')
    })
  }

  async function repeat(what: string, work: () => Promise<unknown>): Promise<void> {
    const round = { woken: new AbortController() }
    rounds.push(round)
    let hasFailed = false
    while (!signal.aborted) {
      round.woken = new AbortController()
      try {
        await work()
        if (hasFailed) log.info(`${what} has resumed`)
        hasFailed = false
      } catch (error) {
        if (signal.aborted) return
        if (!hasFailed) log.warn({ reason: messageOf(error) }, `${what} is paused after an error`)
        hasFailed = true
      }
      const wait = hasFailed ? pace.retryMs : pace.pollMs
      await sleep(wait, undefined, { signal: AbortSignal.any([signal, round.woken.signal]) }).catch(
        () => undefined,
      )
    }
  }

  return {
    start(): void {
      running = [
        repeat('reading documents for the search', () =>
          tryWithLock(deps.sessions, 'search documents', () => gather(deps.kinds.values())),
        ),
        repeat('embedding for the search', embed),
      ]
    },
    /** Something is new: do not wait for the next poll. */
    wake(): void {
      for (const { woken } of rounds) woken.abort()
    },
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.all(running)
    },
  }
}
