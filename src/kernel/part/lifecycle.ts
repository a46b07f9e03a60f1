import type { Log } from '#kernel/log'

export interface Startable {
  readonly name: string
  start?(): Promise<unknown>
  stop?(): Promise<void>
}

export interface Lifecycle {
  /** Starts everything in order. If one fails, stops what was started and throws its error. */
  start(): Promise<void>
  /** Stops in reverse order what was started. One that fails does not keep the others from stopping. */
  stop(): Promise<void>
}

export function createLifecycle(all: readonly Startable[], log: Log): Lifecycle {
  const started: Startable[] = []

  async function stop(): Promise<void> {
    const errors: unknown[] = []
    for (let part = started.pop(); part; part = started.pop()) {
      try {
        await part.stop?.()
      } catch (error) {
        log.error({ part: part.name, error }, 'a part could not be stopped')
        errors.push(error)
      }
    }
    if (errors.length > 0) throw errors[0]
  }

  return {
    async start() {
      for (const part of all) {
        // Listed before it starts: one that fails half-way has to clean up as well.
        started.push(part)
        try {
          await part.start?.()
        } catch (error) {
          // The reason of the failed start matters more; a failed stop is in the log.
          await stop().catch(() => undefined)
          throw error
        }
      }
    },
    stop,
  }
}
