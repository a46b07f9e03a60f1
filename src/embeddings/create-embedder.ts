import { hash } from 'node:crypto'
import { faults } from '#kernel/errors'
import { VectorCache } from './cache.ts'
import { maxTextBytes, maxTexts, type Task } from './contract.ts'
import type { Driver } from './drivers/driver.ts'
import { embedBatch } from './embed-batch.ts'
import type { EmbedOptions, Embedder } from './embedder.ts'
import { queueFull, TextFault, toFault } from './faults.ts'
import { BatchQueue, type Lane, type Work } from './queue.ts'

/** A text that is being embedded, and how many wait for it. */
interface Pending {
  work: Work
  vector: Promise<Float32Array>
  waiting: number
}

export interface EmbedderOptions {
  driver: Driver
  model: string
  fingerprint: string
  /** Puts `search_query: ` and the like before the text. */
  isPrefixed: boolean
  cacheBytes: number
  maxQueued?: number
}

/** Checks, remembers, joins what is the same, and hands the rest to the queue. */
export function createEmbedder(options: EmbedderOptions) {
  const { driver, model, fingerprint } = options
  const cache = new VectorCache(options.cacheBytes)
  const pending = new Map<string, Pending>()
  const queue = new BatchQueue({
    limits: driver.limits,
    run: (texts, signal) => embedBatch(driver, texts, signal),
    ...(options.maxQueued !== undefined && { maxTexts: options.maxQueued }),
  })

  function begin(key: string, text: string, lane: Lane): Pending {
    const { promise, resolve, reject } = Promise.withResolvers<Float32Array>()
    const work: Work = {
      text,
      bytes: Buffer.byteLength(text),
      lane,
      state: 'queued',
      batch: undefined,
      isAbandoned: false,
      settle(result) {
        if (pending.get(key)?.work === work) pending.delete(key)
        if (result instanceof Error) return reject(result)
        cache.set(key, result)
        resolve(result)
      },
    }
    // The callers may have disconnected; then nobody handles the failure.
    promise.catch(() => undefined)
    const made = { work, vector: promise, waiting: 0 }
    pending.set(key, made)
    queue.add(work)
    return made
  }

  function join({ key, text }: Keyed, lane: Lane): Pending {
    const joined = pending.get(key) ?? begin(key, text, lane)
    if (lane === 'interactive') queue.hurry(joined.work)
    joined.waiting += 1
    return joined
  }

  function leave(key: string, joined: Pending): void {
    joined.waiting -= 1
    if (joined.waiting > 0 || joined.work.state === 'over') return
    queue.drop(joined.work)
    // Later calls for the same text must not join a batch that may be cancelled.
    pending.delete(key)
  }

  async function embed(
    texts: readonly string[],
    task: Task,
    given: EmbedOptions = {},
  ): Promise<Float32Array[]> {
    checkTexts(texts)
    given.signal?.throwIfAborted()
    const lane = laneOf(texts, given)
    const keyed = texts.map((text) => keyOf(options.isPrefixed ? `${task}: ${text}` : text))
    const known = keyed.map(({ key }) => cache.get(key))
    const wanted = new Map(
      keyed.filter((_, index) => known[index] === undefined).map((each) => [each.key, each]),
    )
    const fresh = [...wanted.values()].filter(({ key }) => !pending.has(key))
    const bytes = fresh.reduce((sum, { text }) => sum + text.length, 0)
    if (!queue.hasRoomFor(fresh.length, bytes, lane)) throw queueFull()
    const joined = new Map([...wanted].map(([key, each]) => [key, join(each, lane)]))
    const leaveAll = (): void => joined.forEach((each, key) => leave(key, each))
    const settled = Promise.allSettled(
      keyed.map(async ({ key }, index) => known[index] ?? (await joined.get(key)?.vector)),
    )
    return collect(await untilAborted(settled, given.signal, leaveAll))
  }

  const embedder: Embedder = { model, fingerprint, embed }
  return {
    embedder,
    state: () => ({
      queue: { ...queue.waiting, running: queue.running, most: queue.maxTexts },
      cache: {
        vectors: cache.count,
        bytes: cache.bytes,
        most_bytes: cache.maxBytes,
        hits: cache.hits,
        misses: cache.misses,
      },
    }),
  }
}

/** Calls with more texts are served after those with fewer. */
const maxInteractive = 8

function laneOf(texts: readonly string[], { priority = 'interactive' }: EmbedOptions): Lane {
  return priority === 'interactive' && texts.length > maxInteractive ? 'bulk' : priority
}

interface Keyed {
  key: string
  text: string
}

/** Half a surrogate pair is no character: it becomes the replacement character, as in every UTF-8 encoder. */
function keyOf(text: string): Keyed {
  const wellFormed = text.toWellFormed()
  return { text: wellFormed, key: hash('sha256', wellFormed, 'base64') }
}

function checkTexts(texts: readonly string[]): void {
  if (texts.length > maxTexts)
    throw new TextFault(faults.invalidRequest, maxTexts, `is one too many: send at most ${maxTexts} texts`)
  texts.forEach((text, index) => {
    if (text.trim() === '') throw new TextFault(faults.invalidRequest, index, 'is empty')
    // A character has one to three bytes for each unit of its length.
    if (text.length * 3 > maxTextBytes && Buffer.byteLength(text) > maxTextBytes)
      throw new TextFault(faults.invalidRequest, index, 'is over 1 MiB: split it and embed the parts')
  })
}

async function untilAborted<T>(
  result: Promise<T>,
  signal: AbortSignal | undefined,
  leave: () => void,
): Promise<T> {
  if (!signal) return result
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = (): void => {
    leave()
    reject(signal.reason as Error)
  }
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([result, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** All vectors in order, or the fault of the first text that has none. */
function collect(settled: readonly PromiseSettledResult<Float32Array | undefined>[]): Float32Array[] {
  return settled.map((each, index) => {
    if (each.status === 'rejected') throw toFault(each.reason, index)
    if (each.value === undefined) throw toFault(new Error('There is no vector for it.'), index)
    return each.value
  })
}
