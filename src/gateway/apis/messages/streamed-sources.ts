import { arrayOf, objectOf, statedCount } from '../../wire/json.ts'
import { toCitations } from './response-parts.ts'

/**
 * Sources of a text, which a provider may send at any time: before the text, within it, or after the calls that
 * followed it. They wait here until what they are about has been said, and keep their order.
 */
export class StreamedSources {
  readonly #waiting: unknown[] = []

  add(annotations: unknown): void {
    for (const source of arrayOf(annotations)) this.#waiting.push(source)
  }

  /** Citations of what has been said so far. */
  take(text: string): unknown[] {
    if (this.#waiting.length === 0) return []
    const next = this.#waiting.findIndex((source) => endOf(source) > text.length)
    return toCitations(this.#waiting.splice(0, next < 0 ? this.#waiting.length : next), text)
  }

  /** All that are left, when nothing more will be said. */
  takeRest(text: string): unknown[] {
    return toCitations(this.#waiting.splice(0), text)
  }
}

function endOf(source: unknown): number {
  return statedCount(objectOf(objectOf(source)['url_citation'])['end_index']) ?? 0
}
