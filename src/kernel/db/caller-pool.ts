import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { noConnection } from './outage.ts'

const caller = new AsyncLocalStorage<string>()

/** Runs what a request asks for: its queries have a time limit, and leave connections to other callers. */
export function onBehalfOf<T>(callerId: string, work: () => T): T {
  return caller.run(callerId, work)
}

export interface CallerPoolOptions {
  /** For requests. */
  requests: pg.Pool
  /** For everything else. */
  background: pg.Pool
  /** How many connections one caller may use at once, and how long a request waits for one. */
  maxPerCaller: number
  waitMs: number
}

/** Has no connections itself but those of two pools: background work and requests do not wait for each other. */
export class CallerPool extends pg.Pool {
  readonly #options: CallerPoolOptions
  readonly #turns = new Map<string, Turns>()

  constructor(options: CallerPoolOptions) {
    super({ max: 1 })
    this.#options = options
  }

  override connect(): Promise<pg.PoolClient>
  override connect(done: ConnectCallback): void
  override connect(done?: ConnectCallback): Promise<pg.PoolClient> | void {
    const callerId = caller.getStore()
    const taken = callerId === undefined ? this.#options.background.connect() : this.#connectFor(callerId)
    if (!done) return taken
    void hand(taken, done)
  }

  async #connectFor(callerId: string): Promise<pg.PoolClient> {
    const { requests, maxPerCaller, waitMs } = this.#options
    const turns = this.#turns.get(callerId) ?? new Turns(maxPerCaller)
    this.#turns.set(callerId, turns)
    await turns.take(waitMs)
    const giveBack = (): void => {
      turns.giveBack()
      if (turns.isUnused) this.#turns.delete(callerId)
    }
    try {
      const client = await requests.connect()
      const { release } = client
      client.release = (error) => {
        giveBack()
        release(error)
      }
      return client
    } catch (error) {
      giveBack()
      throw error
    }
  }
}

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: Error | boolean) => void,
) => void

async function hand(taken: Promise<pg.PoolClient>, done: ConnectCallback): Promise<void> {
  let client: pg.PoolClient
  try {
    client = await taken
  } catch (error) {
    return done(error as Error, undefined, () => undefined)
  }
  done(undefined, client, (error) => client.release(error))
}

/** Those who wait get their turn in the order in which they came. */
class Turns {
  #free: number
  readonly #max: number
  readonly #waiting = new Set<() => void>()

  constructor(max: number) {
    this.#free = max
    this.#max = max
  }

  get isUnused(): boolean {
    return this.#free === this.#max
  }

  async take(waitMs: number): Promise<void> {
    if (this.#free > 0) return void this.#free--
    await new Promise<void>((resolve, reject) => {
      const next = (): void => {
        clearTimeout(timeout)
        resolve()
      }
      const timeout = setTimeout(() => {
        this.#waiting.delete(next)
        reject(new Error(`${noConnection}: the caller already uses as many as it may`))
      }, waitMs)
      this.#waiting.add(next)
    })
  }

  giveBack(): void {
    const [next] = this.#waiting
    if (!next) return void this.#free++
    this.#waiting.delete(next)
    next()
  }
}
