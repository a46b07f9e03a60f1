import type { JsonObject } from '../../wire/json.ts'

/** Writes events with growing numbers and gathers them until they are taken. */
export class EventWriter {
  #sequence = 0
  #written = ''

  emit(type: string, fields: JsonObject): void {
    const event = { type, sequence_number: this.#sequence++, ...fields }
    this.#written += `event: ${type}\ndata: ${JSON.stringify(event)}\n\n`
  }

  get next(): number {
    return this.#sequence
  }

  take(): string {
    const written = this.#written
    this.#written = ''
    return written
  }
}
