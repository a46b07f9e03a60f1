import type { JsonObject } from '../../wire/json.ts'
import { newId, type Status } from './envelope.ts'
import type { EventWriter } from './event-writer.ts'
import { messageItem, refusalPart, textPart, toAnnotations } from './items.ts'

/** A message while it is streamed: a text, a refusal, or one after the other. */
export class StreamedMessage {
  readonly kind = 'message'
  readonly index: number
  readonly #writer: EventWriter
  readonly #id = newId('msg')
  /** Where its text begins in everything the model has said. */
  readonly #offset: number
  readonly #content: JsonObject[] = []
  readonly #annotations: JsonObject[] = []
  readonly #logprobs: unknown[] = []
  #open: 'text' | 'refusal' | undefined
  #said = ''

  constructor(writer: EventWriter, index: number, offset: number) {
    this.#writer = writer
    this.index = index
    this.#offset = offset
    const item = messageItem(this.#id, 'in_progress', [])
    writer.emit('response.output_item.added', { output_index: index, item })
  }

  say(delta: string, logprobs: readonly unknown[]): void {
    this.#begin('text')
    this.#said += delta
    for (const each of logprobs) this.#logprobs.push(each)
    this.#writer.emit('response.output_text.delta', { ...this.#place(), delta, logprobs })
  }

  refuse(delta: string): void {
    this.#begin('refusal')
    this.#said += delta
    this.#writer.emit('response.refusal.delta', { ...this.#place(), delta })
  }

  /** Citations that come late, after another item has started, are only part of the final output. */
  annotate(annotations: unknown): void {
    for (const annotation of toAnnotations(annotations, this.#offset)) {
      const where = { ...this.#place(), annotation_index: this.#annotations.length }
      this.#annotations.push(annotation)
      if (this.#open === 'text')
        this.#writer.emit('response.output_text.annotation.added', { ...where, annotation })
    }
  }

  close(status: Status): JsonObject {
    // A message without any part still has a text, if an empty one.
    if (this.#content.length === 0) this.#begin('text')
    this.#endPart()
    const item = messageItem(this.#id, status, this.#content)
    this.#writer.emit('response.output_item.done', { output_index: this.index, item })
    return item
  }

  #begin(kind: 'text' | 'refusal'): void {
    if (this.#open === kind) return
    this.#endPart()
    this.#open = kind
    this.#said = ''
    const part = kind === 'text' ? textPart('', [], []) : refusalPart('')
    this.#writer.emit('response.content_part.added', { ...this.#place(), part })
  }

  #endPart(): void {
    if (!this.#open) return
    const isText = this.#open === 'text'
    const place = this.#place()
    if (isText) {
      const text = { text: this.#said, logprobs: this.#logprobs }
      this.#writer.emit('response.output_text.done', { ...place, ...text })
    } else this.#writer.emit('response.refusal.done', { ...place, refusal: this.#said })
    const part = isText ? textPart(this.#said, this.#annotations, this.#logprobs) : refusalPart(this.#said)
    this.#writer.emit('response.content_part.done', { ...place, part })
    this.#content.push(part)
    this.#open = undefined
  }

  #place() {
    return { item_id: this.#id, output_index: this.index, content_index: this.#content.length }
  }
}
