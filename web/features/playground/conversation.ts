import { ApiError } from '../../api/client.ts'
import { emptyDraft } from './fold.ts'
import type { ChatBody } from './request-body.ts'
import type { Received } from './send.ts'
import type { AnswerTurn, Turn } from './types.ts'

/** What the conversation needs from its surroundings; tests give their own. */
export interface Surroundings {
  send: (call: {
    body: ChatBody
    signal: AbortSignal
    onReceived: (received: Received) => void
  }) => Promise<void>
  /** Runs the work before the next frame is drawn. */
  onFrame: (work: () => void) => void
  now: () => number
}

/** Builds the request for the turns it is given: the settings may have changed since the last one. */
export type Ask = (turns: readonly Turn[]) => ChatBody

/** A conversation outlives the page that shows it: whoever fetches a missing key and comes back finds it again. */
export function createConversation({ send, onFrame, now }: Surroundings) {
  const listeners = new Set<() => void>()
  let turns: readonly Turn[] = []
  let running: AbortController | null = null
  let nextId = 1

  const set = (next: readonly Turn[]) => {
    turns = next
    for (const listener of listeners) listener()
  }
  const change = (id: number, part: Partial<AnswerTurn>) =>
    set(turns.map((turn) => (turn.id === id && turn.role === 'assistant' ? { ...turn, ...part } : turn)))

  async function answer(ask: Ask): Promise<void> {
    const body = ask(turns)
    const id = nextId++
    const controller = new AbortController()
    running = controller
    set([...turns, newAnswer(id, body.model)])
    const start = now()
    let firstTokenMs: number | null = null
    let latest: Received | undefined
    let waiting = false
    const draw = () => {
      waiting = false
      if (latest) change(id, { ...latest.draft, requestId: latest.requestId, firstTokenMs })
    }
    // Pieces may come faster than the screen can be drawn: they are shown once a frame.
    const onReceived = (received: Received) => {
      latest = received
      const { text, reasoning, toolCalls } = received.draft
      if (text !== '' || reasoning !== '' || toolCalls.length > 0) firstTokenMs ??= now() - start
      if (waiting) return
      waiting = true
      onFrame(() => waiting && draw())
    }
    const end: Partial<AnswerTurn> = { state: 'done' }
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
      return answer(ask)
    },
    /** Takes the last answer back and asks again. */
    retry(ask: Ask): Promise<void> {
      running?.abort()
      if (turns.at(-1)?.role === 'assistant') set(turns.slice(0, -1))
      return answer(ask)
    },
    stop: () => running?.abort(),
    clear() {
      running?.abort()
      set([])
    },
  }
}

export type Conversation = ReturnType<typeof createConversation>

function newAnswer(id: number, model: string): AnswerTurn {
  const timing = { requestId: null, firstTokenMs: null, totalMs: null }
  return { ...emptyDraft, ...timing, role: 'assistant', id, model, state: 'streaming', error: null }
}

function asApiError(error: unknown): ApiError {
  return error instanceof ApiError
    ? error
    : new ApiError(0, 'unknown', 'The answer could not be shown.', null)
}
