import { SegmentRefused, SinkUnavailable, WatcherRefused } from './errors.ts'
import type { Followed } from './followed.ts'
import { createPause } from './pause.ts'
import { createStep, type StepDeps } from './step.ts'

export interface PumpDeps extends StepDeps {
  /** Whether the error says that the archive cannot be reached now. */
  isUnavailable(error: unknown): boolean
  /** A file could not be stored, for a reason that lies in the file or in the archive. */
  onFailure(file: Followed, reason: string): void
  /** After each segment and at each pause. */
  onStep(): void
  /** The first pause after a failure; it doubles up to a minute. */
  retryMs: number
}

export interface Pump {
  add(file: Followed, isUrgent: boolean): void
  /** Resolves when nothing is left to do, or with the reason why the archive refuses this watcher. */
  idle(): Promise<WatcherRefused | undefined>
  stop(): Promise<void>
  /** Resolves when the archive refuses this watcher; then nothing is sent any more. */
  refused: Promise<WatcherRefused>
  /** What keeps it from working. */
  problem(): string | null
  /** How many files wait for another try. */
  failing(): number
}

const maxPauseMs = 60_000
const maxRetryMs = 600_000

/** Files that are read at the same time: one is read and parsed while another is stored. */
const lanes = 2

/** Moves what files have gained into the archive, one segment of a file at a time, so that memory is bounded. */
export function createPump(deps: PumpDeps): Pump {
  const { log } = deps
  const step = createStep(deps)
  const queue = new WorkQueue<Followed>()
  const busy = new Set<Followed>()
  const retries = new Map<Followed, NodeJS.Timeout>()
  const pause = createPause()
  const { promise: refused, resolve: refuse } = Promise.withResolvers<WatcherRefused>()
  const running = new Set<Promise<void>>()
  let isStopped = false
  let refusal: WatcherRefused | undefined
  let problem: string | null = null
  let outages = 0

  function start(): void {
    if (isStopped || refusal !== undefined) return
    if (running.size >= lanes) return
    const lane = run().finally(() => {
      running.delete(lane)
      // Something may have come between the last look and the end.
      if (running.size === 0 && queue.size > 0) start()
    })
    running.add(lane)
  }

  async function run(): Promise<void> {
    for (let file = queue.take(busy); file !== undefined; file = queue.take(busy)) {
      busy.add(file)
      await work(file).finally(() => busy.delete(file))
      deps.onStep()
      if (isStopped || refusal !== undefined) return
      // An import of gigabytes must leave the process to others.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  async function work(file: Followed): Promise<void> {
    try {
      if ((await step(file)) === 'more') queue.add(file, false)
      outages = 0
      problem = null
    } catch (error) {
      await fail(file, error)
    }
  }

  async function fail(file: Followed, error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error)
    if (error instanceof WatcherRefused) {
      refusal = error
      problem = reason
      refuse(error)
      return
    }
    if (error instanceof SinkUnavailable || deps.isUnavailable(error)) {
      queue.add(file, true)
      problem = `The archive is unavailable: ${reason}`
      log.warn({ reason }, 'the archive of transcripts is unavailable; nothing is lost')
      deps.onStep()
      const asked = error instanceof SinkUnavailable ? (error.retryAfter ?? 0) * 1_000 : 0
      await pause.wait(
        Math.max(Math.min(deps.retryMs * 2 ** outages++, maxPauseMs), Math.min(asked, maxPauseMs)),
      )
      return
    }
    if (error instanceof SegmentRefused) {
      deps.onSkip(file, { reason: 'refused', bytes: 0 })
      return
    }
    log.error({ error, path: file.source.path }, 'a transcript could not be stored; it is tried again')
    if (file.failures === 0) deps.onFailure(file, reason)
    retry(file)
  }

  function retry(file: Followed): void {
    const wait = Math.min(deps.retryMs * 2 ** file.failures++, maxRetryMs)
    // What the archive says may have changed, and the fault may lie in what is remembered of it.
    file.position = undefined
    clearTimeout(retries.get(file))
    const timer = setTimeout(() => {
      retries.delete(file)
      queue.add(file, false)
      start()
    }, wait)
    retries.set(file, timer)
  }

  return {
    add(file, isUrgent) {
      queue.add(file, isUrgent)
      start()
    },
    async idle() {
      while (running.size > 0) await Promise.all(running)
      return refusal
    },
    async stop() {
      isStopped = true
      for (const timer of retries.values()) clearTimeout(timer)
      pause.end()
      await Promise.all(running)
    },
    refused,
    problem: () => problem,
    failing: () => retries.size,
  }
}

/** What is to be read: changes seen live before what an import has found, each in the order of arrival. */
class WorkQueue<T> {
  readonly #urgent = new Set<T>()
  readonly #backlog = new Set<T>()

  add(item: T, isUrgent: boolean): void {
    if (this.#urgent.has(item)) return
    if (isUrgent) {
      this.#backlog.delete(item)
      this.#urgent.add(item)
    } else this.#backlog.add(item)
  }

  /** The next item that nobody works on. */
  take(busy: ReadonlySet<T>): T | undefined {
    for (const items of [this.#urgent, this.#backlog])
      for (const item of items) {
        if (busy.has(item)) continue
        items.delete(item)
        return item
      }
    return undefined
  }

  delete(item: T): void {
    this.#urgent.delete(item)
    this.#backlog.delete(item)
  }

  get size(): number {
    return this.#urgent.size + this.#backlog.size
  }
}
