import type { Fault } from '#kernel/errors'
import type { Usage } from '../provider.ts'
import { arrayOf, isAbsent, isObject, objectOf, parseJson, stringOf, type JsonObject } from '../wire/json.ts'
import type { SseEvent } from '../wire/sse.ts'
import { chatText } from './chat-text.ts'
import type { DeliveredText } from './delivered-text.ts'
import { edit, type Edits } from './edit.ts'
import { noBytes, type StreamFormat, type Verdict } from './reader.ts'

export interface ChatFormatRules {
  /** The provider's name, for error messages. */
  readonly name: string
  /** The client asked for usage. */
  readonly showsUsage: boolean
  /** Reads usage from a response or chunk; the bytes are given where exact digits matter. */
  usageOf(response: JsonObject, json: Buffer): Usage | null
  /** The fault for an error inside a response with status 200. */
  reported(error: unknown): Fault
}

/** OpenAI puts `"usage":null` into every chunk but the one that counts. */
const usageOrError = /"(?:usage"[\s:]*\{|error")/
const errorEvent = /^event: ?error/m
const finishReason = /"finish_reason"\s*:\s*"/
const done = /^data: ?\[DONE\]/m
const doneEvent = Buffer.from('data: [DONE]\n\n')

/** A stream of chat-completion chunks: usage, errors and whether it is complete. */
export class ChatFormat implements StreamFormat {
  usage: Usage | null = null
  readonly provider: string
  readonly endPatterns = [done, finishReason]
  readonly textIn = chatText
  readonly #rules: ChatFormatRules

  constructor(rules: ChatFormatRules) {
    this.provider = rules.name
    this.#rules = rules
  }

  /**
   * The model's text cannot be mistaken for these members: there the closing quote is escaped. The search for an
   * error event leaves out the first letter, because a rarer first letter makes it several times faster.
   */
  find(events: string): number {
    const first = events.search(usageOrError)
    const error = events.includes('vent:') ? events.search(errorEvent) : -1
    return first < 0 || error < 0 ? Math.max(first, error) : Math.min(first, error)
  }

  read({ event, data }: SseEvent): Verdict {
    const chunk = parseJson(data)
    if (event === 'error') return this.#rules.reported(isObject(chunk) ? chunk : { message: data })
    if (!isObject(chunk)) return 'keep'
    const fault = this.errorIn(chunk)
    if (fault) return fault
    const { hidden, reported } = hideUsage(chunk)
    if (!reported) return 'keep'
    const json = Buffer.from(data)
    this.usage =
      this.#rules.usageOf(isObject(chunk['usage']) ? chunk : { ...chunk, usage: reported }, json) ??
      this.usage
    if (this.#rules.showsUsage) return 'keep'
    return holdsOnlyUsage(chunk) ? 'drop' : edit(json, chunk, hidden)
  }

  errorIn(chunk: JsonObject): Fault | undefined {
    const { error } = chunk
    const isError =
      (!isAbsent(error) && error !== '' && error !== false) ||
      arrayOf(chunk['choices']).some((choice) => stringOf(objectOf(choice)['finish_reason']) === 'error')
    return isError ? this.#rules.reported(chunk) : undefined
  }

  ending(delivered: DeliveredText): Uint8Array | undefined {
    if (delivered.has(done)) return noBytes
    return delivered.has(finishReason) ? doneEvent : undefined
  }
}

/**
 * Where a chunk reports usage, and the edits that hide it. Compatible servers also put it into the choice, or into an
 * extension of their own such as `x_groq`.
 */
function hideUsage(chunk: JsonObject): { hidden: Edits; reported: JsonObject | undefined } {
  const set: Record<string, unknown> = {}
  let reported = isObject(chunk['usage']) ? chunk['usage'] : undefined
  const withoutUsage = (value: unknown): unknown => {
    if (!isObject(value) || !isObject(value['usage'])) return value
    const { usage, ...rest } = value
    reported ??= usage
    return rest
  }
  for (const [name, value] of Object.entries(chunk)) {
    if (name !== 'choices' && !name.startsWith('x_')) continue
    const kept = Array.isArray(value) ? value.map(withoutUsage) : withoutUsage(value)
    if (!isSame(kept, value)) set[name] = kept
  }
  return { hidden: { set, remove: ['usage'] }, reported }
}

function isSame(kept: unknown, value: unknown): boolean {
  if (!Array.isArray(kept) || !Array.isArray(value)) return kept === value
  return kept.every((each, index) => each === value[index])
}

/** A chunk that has nothing but usage for the client. */
function holdsOnlyUsage(chunk: JsonObject): boolean {
  return arrayOf(chunk['choices']).every((each) => {
    const { finish_reason: finish, delta, message } = objectOf(each)
    return isAbsent(finish) && isAbsent(message) && Object.entries(objectOf(delta)).every(isEmptyMember)
  })
}

function isEmptyMember([key, value]: [string, unknown]): boolean {
  return key === 'role' || isAbsent(value) || value === '' || (Array.isArray(value) && value.length === 0)
}
