import { parseJson, type JsonObject } from '../../wire/json.ts'
import type { EventWriter } from './event-writer.ts'
import { callItem, newCallId } from './items.ts'
import { customInput, type Target } from './targets.ts'

/** A call of a tool while its arguments come. */
export class StreamedCall {
  readonly index: number
  readonly #writer: EventWriter
  readonly #target: Target & { callId: string }
  readonly #id: string
  #arguments = ''

  constructor(writer: EventWriter, index: number, target: Target & { callId: string }) {
    this.index = index
    this.#writer = writer
    this.#target = target
    this.#id = newCallId(target)
    const started = callItem({ ...target, id: this.#id, arguments: '' }, 'in_progress')
    writer.emit('response.output_item.added', { output_index: index, item: started })
  }

  get callId(): string {
    return this.#target.callId
  }

  /** The text of a custom tool is known only when all of its argument is there. */
  more(delta: string): void {
    if (delta === '') return
    this.#arguments += delta
    if (this.#target.isCustom) return
    this.#writer.emit('response.function_call_arguments.delta', { ...this.#place(), delta })
  }

  /** No more can come: what is there is whole JSON. */
  get isWhole(): boolean {
    return parseJson(this.#arguments) !== undefined
  }

  close(): JsonObject {
    // No arguments at all is no JSON; clients parse this text.
    if (this.#arguments === '') this.more('{}')
    const { isCustom } = this.#target
    const args = this.#arguments
    if (isCustom) {
      const input = customInput(args)
      this.#writer.emit('response.custom_tool_call_input.delta', { ...this.#place(), delta: input })
      this.#writer.emit('response.custom_tool_call_input.done', { ...this.#place(), input })
    } else {
      const { name } = this.#target
      this.#writer.emit('response.function_call_arguments.done', { ...this.#place(), name, arguments: args })
    }
    const status = this.isWhole ? 'completed' : 'incomplete'
    const item = callItem({ ...this.#target, id: this.#id, arguments: args }, status)
    this.#writer.emit('response.output_item.done', { output_index: this.index, item })
    return item
  }

  #place() {
    return { item_id: this.#id, output_index: this.index }
  }
}
