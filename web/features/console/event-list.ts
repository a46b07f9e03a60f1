import type { ConsoleEvent } from '#console/contract'
import type { LiveListener, LiveMessage, LiveState } from './live/messages.ts'
import {
  bounded,
  countOf,
  eventRow,
  fillGap,
  gapRow,
  newestOf,
  oldestOf,
  withArrivals,
  type Row,
} from './rows.ts'

/** Newest first. */
export interface EventPage {
  events: readonly ConsoleEvent[]
  hasMore: boolean
}

export interface EventListOptions {
  /** The first page of the list. */
  first: () => Promise<EventPage>
  older: (than: ConsoleEvent) => Promise<EventPage>
  /** Only a list that begins in the past has newer pages. */
  newer?: (than: ConsoleEvent) => Promise<EventPage>
  /** Listens to new events; null for a list that does not grow. */
  join: ((listener: LiveListener) => () => void) | null
  matches: (event: ConsoleEvent) => boolean
  /** A search is a snapshot: new events are counted, not shown. */
  isSnapshot?: boolean
  /** Runs the update later, together with others. */
  schedule: (update: () => void) => void
  /** The first page is loaded when the stream is open, or after this time without one. */
  maxWait?: number
  max?: number
}

export interface EventListState {
  phase: 'loading' | 'ready' | 'failed'
  error: unknown
  rows: readonly Row[]
  isPaused: boolean
  /** Events that arrived and are not shown yet. */
  waiting: number
  live: LiveState | 'off'
  canLoadOlder: boolean
  canLoadNewer: boolean
  /** What is being loaded: a direction or the key of a gap. */
  loading: string | null
  /** What could not be loaded, and why. */
  failed: { what: string; error: unknown } | null
}

const maxRows = 5000

/** The rows of the list, outside React: events arrive faster than a page should render. */
export class EventList {
  readonly #options: EventListOptions & { max: number }
  readonly #listeners = new Set<() => void>()
  /** The ids of all events that are shown or wait. */
  #known = new Set<string>()
  /** Arrived and not yet shown, in the order of arrival. */
  #arrivals: readonly Row[] = []
  /** While a page is loaded that the arrivals belong on top of. */
  #isHeld = true
  #isScheduled = false
  #state: EventListState

  constructor(options: EventListOptions) {
    this.#options = { max: maxRows, ...options }
    this.#state = {
      phase: 'loading',
      error: null,
      rows: [],
      isPaused: false,
      waiting: 0,
      live: options.join === null ? 'off' : 'connecting',
      canLoadOlder: false,
      canLoadNewer: false,
      loading: null,
      failed: null,
    }
  }

  readonly get = (): EventListState => this.#state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Loads the first page and listens for new events until the returned function is called. */
  start(): () => void {
    const { join, maxWait = 1000 } = this.#options
    if (join === null) {
      void this.reload()
      return () => undefined
    }
    const { promise: isOpen, resolve: load } = Promise.withResolvers<void>()
    const timer = setTimeout(load, maxWait)
    void isOpen.then(() => this.reload())
    const leave = join((message) => {
      if (message.kind === 'state' && message.state !== 'connecting') load()
      this.#receive(message)
    })
    return () => {
      clearTimeout(timer)
      leave()
    }
  }

  async reload(): Promise<void> {
    try {
      const { events, hasMore } = await this.#options.first()
      const loaded = new Set(events.map(({ id }) => id))
      this.#arrivals = this.#options.isSnapshot ? [] : this.#arrivals.filter(({ key }) => !loaded.has(key))
      this.#known = loaded.union(new Set(this.#arrivals.map(({ key }) => key)))
      this.#isHeld = false
      this.#set({
        phase: 'ready',
        error: null,
        rows: events.map((event) => eventRow(event)),
        waiting: 0,
        canLoadOlder: hasMore,
        canLoadNewer: this.#options.newer !== undefined,
        failed: null,
      })
      this.#update()
    } catch (error) {
      this.#set({ phase: 'failed', error })
    }
  }

  /** Resuming shows what arrived meanwhile. */
  readonly setPaused = (isPaused: boolean): void => {
    if (isPaused === this.#state.isPaused) return
    this.#set({ isPaused })
    this.#update()
  }

  readonly loadOlder = (): Promise<void> =>
    this.#load('older', async () => {
      const oldest = oldestOf(this.#state.rows)
      if (!oldest) return
      const { events, hasMore } = await this.#options.older(oldest)
      const rows = this.#learn(events).map((event) => eventRow(event))
      this.#set({ rows: [...this.#state.rows, ...rows], canLoadOlder: hasMore })
    })

  readonly loadNewer = (): Promise<void> =>
    this.#load('newer', async () => {
      const newest = newestOf(this.#state.rows)
      if (!newest || !this.#options.newer) return
      const { events, hasMore } = await this.#options.newer(newest)
      const rows = this.#learn(events).map((event) => eventRow(event))
      this.#set({ rows: [...rows, ...this.#state.rows], canLoadNewer: hasMore })
    })

  readonly loadGap = (key: string): Promise<void> =>
    this.#load(key, async () => {
      const at = this.#state.rows.findIndex((row) => row.key === key)
      const above = oldestOf(this.#state.rows.slice(0, at))
      const { events, hasMore } = await (above ? this.#options.older(above) : this.#options.first())
      this.#learn(events)
      this.#set({ rows: fillGap(this.#state.rows, key, events, hasMore) })
    })

  async #load(what: string, work: () => Promise<void>): Promise<void> {
    if (this.#state.loading !== null) return
    this.#set({ loading: what, failed: null })
    try {
      await work()
    } catch (error) {
      this.#set({ failed: { what, error } })
    } finally {
      this.#set({ loading: null })
    }
  }

  #receive(message: LiveMessage): void {
    if (message.kind === 'state') {
      this.#set({ live: message.state })
      if (message.state === 'open' && !message.isResumed && !this.#isHeld) void this.#catchUp()
      return
    }
    const rows =
      message.kind === 'gap'
        ? [gapRow(message.gap.count)]
        : this.#learn(message.events.filter(this.#options.matches)).map((event) => eventRow(event, true))
    if (rows.length > 0) this.#arrive(rows)
  }

  /** The events that were not known yet: pages and stream overlap. */
  #learn(events: readonly ConsoleEvent[]): ConsoleEvent[] {
    const fresh = events.filter(({ id }) => !this.#known.has(id))
    for (const { id } of fresh) this.#known.add(id)
    return fresh
  }

  #arrive(rows: readonly Row[]): void {
    this.#arrivals = bounded([...this.#arrivals, ...rows], this.#options.max)
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#options.schedule(() => {
      this.#isScheduled = false
      this.#update()
    })
  }

  /** The stream began without a position: what came before it is loaded. */
  async #catchUp(): Promise<void> {
    if (this.#options.isSnapshot) return
    this.#update()
    this.#isHeld = true
    const newest = newestOf([...this.#arrivals.toReversed(), ...this.#state.rows])?.id ?? ''
    try {
      const { events, hasMore } = await this.#options.first()
      const isComplete = !hasMore || events.some(({ id }) => id <= newest)
      const missed = this.#learn(events)
        .map((event) => eventRow(event, true))
        .reverse()
      this.#arrivals = [...(isComplete ? [] : [gapRow(null)]), ...missed, ...this.#arrivals]
    } catch {
      this.#arrivals = [gapRow(null), ...this.#arrivals]
    }
    this.#isHeld = false
    this.#update()
  }

  /** Shows what arrived, or counts it while the list does not change. */
  #update(): void {
    if (this.#isHeld) return
    if (this.#options.isSnapshot || this.#state.isPaused)
      return this.#set({ waiting: countOf(this.#arrivals) })
    if (this.#arrivals.length === 0) return
    const rows = withArrivals(this.#state.rows, this.#arrivals)
    this.#arrivals = []
    const trimmed = rows.splice(this.#options.max)
    for (const { key } of trimmed) this.#known.delete(key)
    // Rows that are trimmed at the end can be loaded again.
    this.#set({ rows, waiting: 0, ...(trimmed.length > 0 && { canLoadOlder: true }) })
  }

  #set(part: Partial<EventListState>): void {
    this.#state = { ...this.#state, ...part }
    for (const listener of this.#listeners) listener()
  }
}
