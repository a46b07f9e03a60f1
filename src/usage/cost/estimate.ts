import { Worker } from 'node:worker_threads'
import type { Log } from '#kernel/log'
import { roughCount } from './token-count.ts'

/** Counts tokens of text where the provider never said how many there were. */
export interface Estimator {
  /** Never fails: without the tokenizer it says about how many there are. */
  count(text: Texts): Promise<Counted>
  stop(): Promise<void>
}

interface Texts {
  prompt: string
  delivered: string
}

interface Counted {
  prompt: number
  completion: number
}

interface Waiting {
  texts: Texts
  tell(counted: Counted): void
}

export interface EstimatorOptions {
  log: Log
  worker?: URL
  idleMs?: number
  /** How long the worker may be silent while there is something to count. */
  patienceMs?: number
  /** Characters that may wait for the worker at once. */
  maxWaitingCharacters?: number
}

/**
 * A tokenizer in a thread of its own, so that counting holds no request up. Its tables take tens of megabytes: it is
 * started when there is something to count, and ended when there has been nothing for a minute.
 */
export function createEstimator({
  log,
  worker: file = new URL('token-worker.ts', import.meta.url),
  idleMs = 60_000,
  patienceMs = 60_000,
  maxWaitingCharacters = 64 * 1024 * 1024,
}: EstimatorOptions): Estimator {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let lastId = 0
  let waitingCharacters = 0
  let timer: NodeJS.Timeout | undefined

  function begin(): Worker {
    const started = new Worker(file)
    started.unref()
    started.on('message', ({ id, ...counted }: Counted & { id: number }) => settle(id, counted))
    started.on('error', (error) => giveUp(started, error.message))
    started.on('exit', () => giveUp(started, 'it ended'))
    return started
  }

  function settle(id: number, counted: Counted | undefined): void {
    const found = waiting.get(id)
    if (!found) return
    waiting.delete(id)
    waitingCharacters -= sizeOf(found.texts)
    found.tell(counted ?? roughly(found.texts))
    watch()
  }

  /** What waits is told roughly; the next text starts a new worker. */
  function giveUp(which: Worker, reason: string): void {
    if (worker !== which) return
    worker = undefined
    if (waiting.size > 0) log.warn({ reason, waiting: waiting.size }, 'tokens are counted roughly')
    void which.terminate()
    for (const id of [...waiting.keys()]) settle(id, undefined)
  }

  /** One clock for both: how long it may rest, and how long it may think. */
  function watch(): void {
    clearTimeout(timer)
    const current = worker
    if (!current) return
    timer = setTimeout(() => giveUp(current, 'it took too long'), waiting.size > 0 ? patienceMs : idleMs)
    timer.unref()
  }

  return {
    count(texts) {
      if (waitingCharacters + sizeOf(texts) > maxWaitingCharacters) return Promise.resolve(roughly(texts))
      return new Promise((resolve) => {
        const id = ++lastId
        waiting.set(id, { texts, tell: resolve })
        waitingCharacters += sizeOf(texts)
        try {
          worker ??= begin()
          // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
          worker.postMessage({ id, ...texts })
        } catch (error) {
          log.warn({ error }, 'the tokenizer could not be started')
          return settle(id, undefined)
        }
        // Its patience is for the oldest text: new ones must not prolong it.
        if (waiting.size === 1) watch()
      })
    },
    async stop() {
      clearTimeout(timer)
      const last = worker
      worker = undefined
      for (const id of [...waiting.keys()]) settle(id, undefined)
      await last?.terminate()
    },
  }
}

const sizeOf = ({ prompt, delivered }: Texts): number => prompt.length + delivered.length

function roughly({ prompt, delivered }: Texts): Counted {
  return { prompt: roughCount(prompt), completion: roughCount(delivered) }
}
