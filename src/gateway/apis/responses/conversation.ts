import { stringOf, type JsonObject } from '../../wire/json.ts'
import { mediaFollow, mediaLabel } from '../result-media.ts'
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
  /** The results of the calls of this message. */
  readonly results: Placed[]
  /** What of it is not text; it comes after all results. */
  readonly media: Placed[]
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
    this.#placed.push(place(message, origin))
  }

  /** A result of a call that nobody made stays where it is: the provider says what is wrong with it. */
  addResult(callId: string, content: string | readonly JsonObject[], origin: string): void {
    this.#closeTurn()
    const caller = this.#callers.get(callId) ?? { results: this.#placed, media: this.#placed }
    const { text, media } = typeof content === 'string' ? { text: content, media: [] } : apart(content)
    caller.results.push(place({ role: 'tool', tool_call_id: callId, content: text }, origin))
    if (media.length === 0) return
    const label = { type: 'text', text: mediaLabel(callId) }
    caller.media.push(place({ role: 'user', content: [label, ...media] }, origin))
  }

  /** The model's turn that is being read. */
  turn(origin: string): Turn {
    this.#turn ??= { origin, parts: [], calls: [], details: [], extras: new Map() }
    return this.#turn
  }

  finish(): Messages {
    this.#closeTurn()
    const ordered = this.#placed.flatMap((placed) => [placed, ...placed.results, ...placed.media])
    return { list: ordered.map(({ message }) => message), origins: ordered.map(({ origin }) => origin) }
  }

  #closeTurn(): void {
    const turn = this.#turn
    this.#turn = undefined
    if (!turn || (turn.parts.length === 0 && turn.calls.length === 0)) return
    const placed = place(assistantMessage(turn), turn.origin)
    this.#placed.push(placed)
    for (const call of turn.calls) this.#callers.set(stringOf(call['id']), placed)
  }
}

function place(message: JsonObject, origin: string): Placed {
  return { message, origin, results: [], media: [] }
}

function apart(parts: readonly JsonObject[]): { text: string; media: JsonObject[] } {
  const texts = parts.filter((part) => part['type'] === 'text').map((part) => stringOf(part['text']))
  const media = parts.filter((part) => part['type'] !== 'text')
  return { text: [...texts, ...(media.length > 0 ? [mediaFollow] : [])].join('\n'), media }
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
