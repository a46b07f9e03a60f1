import { messageOf } from '#kernel/errors'
import type { Log } from '#kernel/log'
import { createThread } from '#kernel/thread'
import { roughCount } from './token-count.ts'

/** Counts the tokens of texts for which the provider did not report them. */
export interface Estimator {
  /** Never fails: without the tokenizer the count is approximate. */
  count(texts: Texts): Promise<Counted>
  stop(): Promise<void>
}

export interface Texts {
  prompt: string
  delivered: string
}

export interface Counted {
  prompt: number
  completion: number
}

export interface EstimatorOptions {
  log: Log
  worker?: URL
  idleMs?: number
  timeoutMs?: number
  /** Characters that may wait for the thread at once; texts beyond that are counted roughly. */
  maxWaitingCharacters?: number
}

/** A tokenizer in a thread. Its tables take tens of megabytes, so the thread runs only while it is needed. */
export function createEstimator({
  log,
  worker = new URL('token-worker.ts', import.meta.url),
  idleMs = 60_000,
  timeoutMs = 60_000,
  maxWaitingCharacters = 64 * 1024 * 1024,
}: EstimatorOptions): Estimator {
  const thread = createThread<Texts, Counted>({ file: worker, idleMs, timeoutMs })
  let waitingCharacters = 0
  return {
    async count(texts) {
      const size = texts.prompt.length + texts.delivered.length
      if (waitingCharacters + size > maxWaitingCharacters) return roughly(texts)
      waitingCharacters += size
      try {
        return await thread.call(texts)
      } catch (error) {
        log.warn({ reason: messageOf(error) }, 'the tokens of a request are counted roughly')
        return roughly(texts)
      } finally {
        waitingCharacters -= size
      }
    },
    stop: () => thread.close(),
  }
}

function roughly({ prompt, delivered }: Texts): Counted {
  return { prompt: roughCount(prompt), completion: roughCount(delivered) }
}
