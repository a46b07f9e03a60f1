import type { JsonObject } from '../../wire/json.ts'
import type { KeptReasoning } from '../sealed-reasoning.ts'
import { newId } from './envelope.ts'
import type { EventWriter } from './event-writer.ts'
import { reasoningItem } from './items.ts'

/** A reasoning item while it is streamed. */
export class StreamedReasoning {
  readonly kind = 'reasoning'
  readonly index: number
  readonly #writer: EventWriter
  readonly #id = newId('rs')
  #text = ''

  constructor(writer: EventWriter, index: number) {
    this.#writer = writer
    this.index = index
    writer.emit('response.output_item.added', {
      output_index: index,
      item: reasoningItem(this.#id, ''),
    })
  }

  think(delta: string): void {
    if (this.#text === '') this.#part('added', '')
    this.#text += delta
    this.#writer.emit('response.reasoning_summary_text.delta', { ...this.#place(), delta })
  }

  close(kept: KeptReasoning): JsonObject {
    if (this.#text !== '') {
      this.#writer.emit('response.reasoning_summary_text.done', { ...this.#place(), text: this.#text })
      this.#part('done', this.#text)
    }
    const item = reasoningItem(this.#id, this.#text, kept)
    this.#writer.emit('response.output_item.done', { output_index: this.index, item })
    return item
  }

  #part(event: 'added' | 'done', text: string): void {
    const part = { type: 'summary_text', text }
    this.#writer.emit(`response.reasoning_summary_part.${event}`, { ...this.#place(), part })
  }

  #place() {
    return { item_id: this.#id, output_index: this.index, summary_index: 0 }
  }
}
