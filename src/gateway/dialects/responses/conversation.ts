import { textOf } from '../../providers/json.ts'
import type { JsonObject } from '../../providers/json.ts'
import { withExtras } from '../sealed-reasoning.ts'

/** Chat messages, and for each of them the place it comes from: faults of the provider name that one. */
export interface Messages {
  readonly list: readonly JsonObject[]
  readonly origins: readonly string[]
}

/** What the model said since somebody else last spoke. */
export interface Turn {
  readonly origin: string
  readonly parts: JsonObject[]
  readonly calls: JsonObject[]
  readonly details: JsonObject[]
  /** `extra_content` by the id of the call. */
  readonly extras: Map<string, JsonObject>
}

interface Placed {
  readonly message: JsonObject
  readonly origin: string
  /** What the tools answered to the calls of this message. */
  readonly results: Placed[]
}

/**
 * Builds a conversation as chat completions want it: what a model said in one go is one message, and results follow
 * the calls they belong to, whatever came between.
 */
export class Conversation {
  readonly #placed: Placed[] = []
  readonly #callers = new Map<string, Placed>()
  #turn: Turn | undefined

  add(message: JsonObject, origin: string): void {
    this.#closeTurn()
    this.#placed.push({ message, origin, results: [] })
  }

  /** A result of a call that nobody made stays where it is: the provider says what is wrong with it. */
  addResult(callId: string, content: unknown, origin: string): void {
    this.#closeTurn()
    const message = { role: 'tool', tool_call_id: callId, content }
    const beside = this.#callers.get(callId)?.results ?? this.#placed
    beside.push({ message, origin, results: [] })
  }

  /** The turn of the model that is being told. */
  turn(origin: string): Turn {
    this.#turn ??= { origin, parts: [], calls: [], details: [], extras: new Map() }
    return this.#turn
  }

  finish(): Messages {
    this.#closeTurn()
    const ordered = this.#placed.flatMap((placed) => [placed, ...placed.results])
    return { list: ordered.map(({ message }) => message), origins: ordered.map(({ origin }) => origin) }
  }

  #closeTurn(): void {
    const turn = this.#turn
    this.#turn = undefined
    if (!turn || (turn.parts.length === 0 && turn.calls.length === 0)) return
    const placed: Placed = { message: assistantMessage(turn), origin: turn.origin, results: [] }
    this.#placed.push(placed)
    for (const call of turn.calls) this.#callers.set(textOf(call['id']), placed)
  }
}

function assistantMessage({ parts, calls, details, extras }: Turn): JsonObject {
  const [first] = parts
  const isPlain = parts.length === 1 && first?.['type'] === 'text'
  return {
    role: 'assistant',
    content: isPlain ? first['text'] : parts.length > 0 ? parts : null,
    ...(calls.length > 0 ? { tool_calls: withExtras(calls, extras) } : {}),
    ...(details.length > 0 ? { reasoning_details: details } : {}),
  }
}
