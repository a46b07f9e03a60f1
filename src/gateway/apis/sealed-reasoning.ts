import {
  arrayOf,
  bufferOf,
  isAbsent,
  isObject,
  objectOf,
  parseJson,
  stringOf,
  type JsonObject,
} from '../wire/json.ts'

/** What a provider wants back with the next turn. */
export interface Kept {
  /** Entries of `reasoning_details`. */
  readonly details: readonly JsonObject[]
  /** `extra_content` by the id of the call that bore it. */
  readonly extras: ReadonlyMap<string, JsonObject>
}

/** Distinguishes our seals from what a provider puts into the same field. */
const mark = 'signalbox.v1.'

/**
 * Collects, from a response or its stream, what the provider needs back and the client's API has no field for.
 * It is packed into a string that clients send back unread, the same in every API.
 */
export class KeptReasoning {
  readonly #providerId: string
  #details: JsonObject[] = []
  #extras = new Map<string, JsonObject>()

  constructor(providerId: string) {
    this.#providerId = providerId
  }

  get isEmpty(): boolean {
    return this.#details.length === 0 && this.#extras.size === 0
  }

  /** Entries of `reasoning_details`; pieces of one text, which share its index, are joined. */
  add(details: unknown): void {
    for (const detail of arrayOf(details).filter(isObject)) {
      const last = this.#details.at(-1)
      if (last && isMoreOf(last, detail)) this.#details[this.#details.length - 1] = join(last, detail)
      else this.#details.push(detail)
    }
  }

  /** What a call carries besides its name and arguments. */
  addCall(id: string, call: JsonObject): void {
    if (id !== '' && isObject(call['extra_content'])) this.#extras.set(id, call['extra_content'])
  }

  /** The seal of all that has come, which is then forgotten. It names the provider: to others it means nothing. */
  take(): string {
    // A provider that names the call in its details reads them from there.
    const named = new Set(this.#details.map((detail) => detail['id']))
    const extras = [...this.#extras].filter(([id]) => !named.has(id))
    const content = { provider: this.#providerId, details: this.#details, extras: Object.fromEntries(extras) }
    this.#details = []
    this.#extras = new Map()
    return seal(content)
  }
}

export function seal(content: object): string {
  return mark + Buffer.from(JSON.stringify(content)).toString('base64url')
}

/** What is in a seal of ours; undefined for anything else. */
export function openSeal(text: unknown): unknown {
  if (!isSealed(text)) return undefined
  return parseJson(Buffer.from(text.slice(mark.length), 'base64url').toString())
}

/**
 * Undefined for what is not ours, or belongs to another provider's model. The content is a client's word like any
 * other: adapters check it again.
 */
export function unseal(text: unknown, providerId: string): Kept | undefined {
  const content = openSeal(text)
  if (!isObject(content) || content['provider'] !== providerId) return undefined
  const extras = new Map<string, JsonObject>()
  for (const [id, extra] of Object.entries(objectOf(content['extras']))) extras.set(id, objectOf(extra))
  return { details: arrayOf(content['details']).filter(isObject), extras }
}

export function isSealed(text: unknown): text is string {
  return typeof text === 'string' && text.startsWith(mark)
}

/** Whether the bytes of a request can hold a seal at all. */
export function mayHoldSeal(raw: Uint8Array): boolean {
  return bufferOf(raw).includes(mark)
}

/** Calls as their provider gave them, with what stood on them. */
export function withExtras(calls: readonly JsonObject[], extras: Kept['extras']): JsonObject[] {
  return calls.map((call) => {
    const extra = extras.get(stringOf(call['id']))
    return extra ? { ...call, extra_content: extra } : call
  })
}

/** What is signed is whole, and so is what is encrypted. */
function isMoreOf(last: JsonObject, detail: JsonObject): boolean {
  if (isAbsent(detail['index']) || detail['index'] !== last['index']) return false
  if (detail['type'] === 'reasoning.encrypted' || stringOf(last['signature']) !== '') return false
  return detail['type'] === last['type'] && (isAbsent(detail['id']) || detail['id'] === last['id'])
}

function join(last: JsonObject, detail: JsonObject): JsonObject {
  const joined: Record<string, unknown> = { ...last }
  for (const [field, value] of Object.entries(detail)) {
    if (isAbsent(value)) continue
    joined[field] = field === 'text' || field === 'summary' ? stringOf(last[field]) + stringOf(value) : value
  }
  return joined
}
