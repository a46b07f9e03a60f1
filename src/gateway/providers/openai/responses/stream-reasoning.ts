import type { Delta } from '../../../wire/chunk-writer.ts'
import { stringOf, type JsonObject } from '../../../wire/json.ts'
import { reasoningFormat, summariesOf } from './reasoning.ts'

/** Reasoning of a stream: summaries piece by piece, encrypted content whole at the end of its item. */
export class StreamedReasoning {
  readonly #indexes = new Map<string, number>()
  readonly #sent = new Set<string>()
  #last: string | undefined

  /** A piece of the summary `part` of an item. */
  summary(itemId: string, part: unknown, text: string): Delta[] {
    if (text === '') return []
    const place = `${itemId} ${String(part)}`
    const separator = this.#last === undefined || this.#last === place ? '' : '\n\n'
    this.#last = place
    this.#sent.add(itemId)
    const shown = separator + text
    return [
      {
        reasoning_content: shown,
        reasoning: shown,
        reasoning_details: [{ type: 'reasoning.summary', summary: text, ...this.#place(place, itemId) }],
      },
    ]
  }

  /** A whole item: its summary unless it came in pieces, and its encrypted content, once. */
  complete(item: JsonObject): Delta[] {
    const id = stringOf(item['id'])
    const pieces = this.#sent.has(id)
      ? []
      : summariesOf(item).flatMap((text, part) => this.summary(id, part, text))
    const data = item['encrypted_content']
    const place = `${id} encrypted`
    if (typeof data !== 'string' || this.#indexes.has(place)) return pieces
    this.#sent.add(id)
    const detail = { type: 'reasoning.encrypted', data, ...this.#place(place, id) }
    return [...pieces, { reasoning_details: [detail] }]
  }

  /** Only the first piece says whose it is: clients join the strings of pieces with the same index. */
  #place(place: string, itemId: string): JsonObject {
    const known = this.#indexes.get(place)
    if (known !== undefined) return { index: known }
    const index = this.#indexes.size
    this.#indexes.set(place, index)
    return { id: itemId || null, format: reasoningFormat, index }
  }
}
