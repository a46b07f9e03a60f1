import type { Database } from '#kernel/db'

/** Wakes those in this process who wait for news of a run, whichever process made them. */
export interface Feed {
  start(onRunChanged: () => void): Promise<void>
  /** Resolves with the next news of the run, or after the time. What came before is not counted: look after asking. */
  news(runId: string, timeoutMs: number, signal?: AbortSignal): Promise<void>
  wakeAll(): void
}

export function createFeed(database: Database): Feed {
  const waiting = new Map<string, Set<() => void>>()

  function wake(runId: string): void {
    for (const each of waiting.get(runId) ?? []) each()
  }
  function wakeAll(): void {
    for (const runId of waiting.keys()) wake(runId)
  }

  return {
    wakeAll,
    async start(onRunChanged) {
      await database.listener.on('agent_run_events', wake, wakeAll)
      const changed = (runId: string): void => {
        wake(runId)
        onRunChanged()
      }
      await database.listener.on('agent_runs', changed, onRunChanged)
    },
    news(runId, timeoutMs, signal) {
      return new Promise((resolve) => {
        const others = waiting.get(runId) ?? new Set()
        waiting.set(runId, others)
        const done = (): void => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', done)
          others.delete(done)
          if (others.size === 0) waiting.delete(runId)
          resolve()
        }
        const timer = setTimeout(done, timeoutMs)
        others.add(done)
        signal?.addEventListener('abort', done)
        if (signal?.aborted) done()
      })
    },
  }
}
