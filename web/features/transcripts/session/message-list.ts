import type { TranscriptDetail, TranscriptMessage } from '#transcripts/contract'

export interface MessagePage {
  session: TranscriptDetail
  /** Ascending. */
  messages: TranscriptMessage[]
  /** Cursors of the pages beside it; null at the end of the session. */
  older: string | null
  newer: string | null
}

export interface MessagePages {
  first(): Promise<MessagePage>
  older(cursor: string): Promise<MessagePage>
  newer(cursor: string): Promise<MessagePage>
  /** What comes after this message. */
  after(id: string): Promise<MessagePage>
}

type Side = 'older' | 'newer'

export interface MessageListState {
  phase: 'loading' | 'ready' | 'failed'
  /** Of the first page. */
  error: unknown
  session: TranscriptDetail | null
  messages: readonly TranscriptMessage[]
  older: string | null
  newer: string | null
  loading: Side | null
  failed: { side: Side; error: unknown } | null
}

/** How many of the last messages are looked at again: a message that is still being written changes. */
const overlap = 20

/** A part of one session's messages that grows at both ends. */
export class MessageList {
  readonly #pages: MessagePages
  readonly #listeners = new Set<() => void>()
  #isPolling = false
  #state: MessageListState = {
    phase: 'loading',
    error: null,
    session: null,
    messages: [],
    older: null,
    newer: null,
    loading: null,
    failed: null,
  }

  constructor(pages: MessagePages) {
    this.#pages = pages
  }

  get = (): MessageListState => this.#state

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  load = async (): Promise<void> => {
    this.#set({ phase: 'loading', error: null })
    try {
      this.#set({ phase: 'ready', ...(await this.#pages.first()) })
    } catch (error) {
      this.#set({ phase: 'failed', error })
    }
  }

  loadOlder = (): Promise<void> => this.#loadMore('older')
  loadNewer = (): Promise<void> => this.#loadMore('newer')

  async #loadMore(side: Side): Promise<void> {
    const cursor = this.#state[side]
    if (cursor === null || this.#state.loading !== null) return
    this.#set({ loading: side, failed: null })
    try {
      const page = await this.#pages[side](cursor)
      this.#set({
        loading: null,
        session: page.session,
        messages: merged(this.#state.messages, page.messages),
        [side]: page[side],
      })
    } catch (error) {
      this.#set({ loading: null, failed: { side, error } })
    }
  }

  /** Loads what was written since. Errors are left to the next time. */
  poll = async (): Promise<void> => {
    const { messages, newer, phase } = this.#state
    if (phase !== 'ready' || newer !== null || this.#isPolling) return
    const from = messages.at(-1 - overlap) ?? messages[0]
    this.#isPolling = true
    try {
      const page = await (from === undefined ? this.#pages.first() : this.#pages.after(from.id))
      this.#set({
        session: page.session,
        messages: merged(this.#state.messages, page.messages),
        newer: page.newer,
        ...(from === undefined && { older: page.older }),
      })
    } catch {
      // The server may be restarting.
    } finally {
      this.#isPolling = false
    }
  }

  #set(part: Partial<MessageListState>): void {
    this.#state = { ...this.#state, ...part }
    for (const listener of this.#listeners) listener()
  }
}

/** Each message once, in order. An unchanged message stays the same object, so that its row is not rendered again. */
export function merged(
  known: readonly TranscriptMessage[],
  loaded: readonly TranscriptMessage[],
): readonly TranscriptMessage[] {
  const places = new Map(known.map(({ id }, index) => [id, index]))
  const all = [...known]
  const added: TranscriptMessage[] = []
  let isChanged = false
  for (const message of loaded) {
    const place = places.get(message.id)
    if (place === undefined) added.push(message)
    else if (JSON.stringify(known[place]) !== JSON.stringify(message)) {
      all[place] = message
      isChanged = true
    }
  }
  if (added.length === 0) return isChanged ? all : known
  return [...all, ...added].sort((one, other) => one.order - other.order)
}
