import { isAbsent, isObject, listOf, textOf } from '../../providers/json.ts'
import type { JsonObject } from '../../providers/json.ts'
import { seal } from './seal.ts'

/** Collects, from a whole answer or piece by piece, what its provider wants back with the next turn. */
export class KeptReasoning {
  readonly #providerId: string
  #details: Record<string, unknown>[] = []
  #extras = new Map<string, unknown>()

  constructor(providerId: string) {
    this.#providerId = providerId
  }

  get isEmpty(): boolean {
    return this.#details.length === 0 && this.#extras.size === 0
  }

  /** Entries of `reasoning_details`; pieces of one entry, which share its index, are joined. */
  add(details: unknown): void {
    for (const detail of listOf(details).filter(isObject)) {
      const last = this.#details.at(-1)
      if (last && isPieceOf(last, detail)) join(last, detail)
      else this.#details.push({ ...detail })
    }
  }

  /** What a call carries besides its name and arguments. */
  addCall(id: string, call: JsonObject): void {
    if (id !== '' && isObject(call['extra_content'])) this.#extras.set(id, call['extra_content'])
  }

  /** The signature for all that has come, which is then forgotten. */
  take(): string {
    // A provider that names the call in its details reads them from there.
    const named = new Set(this.#details.map((detail) => textOf(detail['id'])))
    const extras = [...this.#extras].filter(([id]) => !named.has(id))
    const signature = seal(this.#providerId, { details: this.#details, extras: Object.fromEntries(extras) })
    this.#details = []
    this.#extras = new Map()
    return signature
  }
}

function isPieceOf(last: JsonObject, detail: JsonObject): boolean {
  if (isAbsent(detail['index']) || detail['index'] !== last['index']) return false
  return detail['type'] === last['type'] && (isAbsent(detail['id']) || detail['id'] === last['id'])
}

const spoken = ['text', 'summary', 'data']

function join(last: Record<string, unknown>, detail: JsonObject): void {
  for (const [field, value] of Object.entries(detail)) {
    if (isAbsent(value)) continue
    last[field] = spoken.includes(field) ? textOf(last[field]) + textOf(value) : value
  }
}
