import { ApiError } from '../../api/client.ts'
import { emptyDraft } from './fold.ts'
import type { ChatBody } from './request-body.ts'
import type { Received } from './send.ts'
import type { AssistantTurn, Turn } from './types.ts'

/** What the conversation needs from outside; tests pass their own. */
export interface ConversationOptions {
  send: (call: {
    body: ChatBody
    signal: AbortSignal
    onReceived: (received: Received) => void
  }) => Promise<void>
  /** Runs the callback before the next frame is drawn. */
  onFrame: (work: () => void) => void
  now: () => number
}

/** Builds the request for the given turns: the settings may have changed since the last one. */
export type Ask = (turns: readonly Turn[]) => ChatBody

/** A conversation outlives its page: a user who adds a missing key and returns finds it again. */
export function createConversation({ send, onFrame, now }: ConversationOptions) {
  const listeners = new Set<() => void>()
  let turns: readonly Turn[] = []
  let running: AbortController | null = null
  let nextId = 1

  const set = (next: readonly Turn[]) => {
    turns = next
    for (const listener of listeners) listener()
  }
  const change = (id: number, part: Partial<AssistantTurn>) =>
    set(turns.map((turn) => (turn.id === id && turn.role === 'assistant' ? { ...turn, ...part } : turn)))

  async function respond(ask: Ask): Promise<void> {
    const body = ask(turns)
    const id = nextId++
    const controller = new AbortController()
    running = controller
    set([...turns, newResponse(id, body.model)])
    const start = now()
    let firstTokenMs: number | null = null
    let latest: Received | undefined
    let waiting = false
    const draw = () => {
      waiting = false
      if (latest) change(id, { ...latest.draft, requestId: latest.requestId, firstTokenMs })
    }
    // Chunks may arrive faster than the screen refreshes, so they are shown once per frame.
    const onReceived = (received: Received) => {
      latest = received
      const { text, reasoning, toolCalls } = received.draft
      if (text !== '' || reasoning !== '' || toolCalls.length > 0) firstTokenMs ??= now() - start
      if (waiting) return
      waiting = true
      onFrame(() => waiting && draw())
    }
    const end: Partial<AssistantTurn> = { state: 'done' }
    try {
      await send({ body, signal: controller.signal, onReceived })
    } catch (error) {
      end.state = controller.signal.aborted ? 'stopped' : 'failed'
      end.error = end.state === 'failed' ? asApiError(error) : null
    }
    draw()
    change(id, { ...end, totalMs: now() - start })
    if (running === controller) running = null
  }

  return {
    get: () => turns,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    say(text: string, ask: Ask): Promise<void> {
      set([...turns, { role: 'user', id: nextId++, text }])
      return respond(ask)
    },
    /** Removes the last response and sends the request again. */
    retry(ask: Ask): Promise<void> {
      running?.abort()
      if (turns.at(-1)?.role === 'assistant') set(turns.slice(0, -1))
      return respond(ask)
    },
    stop: () => running?.abort(),
    clear() {
      running?.abort()
      set([])
    },
  }
}

export type Conversation = ReturnType<typeof createConversation>

function newResponse(id: number, model: string): AssistantTurn {
  const timing = { requestId: null, firstTokenMs: null, totalMs: null }
  return { ...emptyDraft, ...timing, role: 'assistant', id, model, state: 'streaming', error: null }
}

function asApiError(error: unknown): ApiError {
  return error instanceof ApiError
    ? error
    : new ApiError(0, 'unknown', 'The response could not be shown.', null)
}
