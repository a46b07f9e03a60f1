import { objectOf, parseJson, stringOf } from '../../../wire/json.ts'
import { SseParser } from '../../../wire/sse.ts'

/** Text kept unread, in characters: enough that short answers are never read, little enough for many streams. */
const unreadLimit = 64 * 1024

/** The events in which a model speaks. Sound and images come in pieces as well, but are no text. */
const spoken = new Set([
  'response.output_text.delta',
  'response.refusal.delta',
  'response.reasoning_summary_text.delta',
  'response.reasoning_text.delta',
  'response.function_call_arguments.delta',
  'response.custom_tool_call_input.delta',
])

/** The words in the events of a response, read only when somebody asks or when too much has gathered. */
export class PassedText {
  /** Whole events, one character for each byte. */
  #unread = ''
  #text = ''

  add(events: string): void {
    this.#unread += events
    if (this.#unread.length > unreadLimit) this.#read()
  }

  get text(): string {
    this.#read()
    return this.#text
  }

  #read(): void {
    for (const { data } of new SseParser().push(Buffer.from(this.#unread, 'latin1'))) {
      const event = objectOf(parseJson(data))
      if (spoken.has(stringOf(event['type']))) this.#text += stringOf(event['delta'])
    }
    this.#unread = ''
  }
}
