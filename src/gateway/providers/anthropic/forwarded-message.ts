import type { Fault } from '#kernel/errors'
import { brokenFault } from '../../wire/fault.ts'
import { bufferOf, isObject, objectOf, parseJson, stringOf, type JsonObject } from '../../wire/json.ts'
import type { StreamReader, Usage } from '../../provider.ts'
import { EventFrames } from '../../passthrough/frames.ts'
import { SseParser } from '../../wire/sse.ts'
import { errorFault } from './fault.ts'
import { mergeUsage, toUsage } from './usage.ts'

/** Words of the model cannot look like this: inside a text the quotes are escaped. */
const notable = /"type"\s*:\s*"(?:message_start|message_delta|message_stop|error)"/
/** Kept unread, in characters: enough that most answers are never read. */
const unreadLimit = 64 * 1024

/** Forwards the bytes of a Messages stream and reads along: usage, errors, and whether it came to its end. */
export class ForwardedMessage implements StreamReader {
  readonly #frames = new EventFrames()
  #report: JsonObject | null = null
  #fault: Fault | undefined
  #isBegun = false
  #isOver = false
  /** Whole events, one character for each byte. */
  #unread = ''
  #text = ''

  get usage(): Usage | null {
    return toUsage(this.#report)
  }

  get delivered(): string {
    this.#text += textIn(this.#unread)
    this.#unread = ''
    return this.#text
  }

  push(piece: Uint8Array): Uint8Array {
    if (this.#fault) throw this.#fault
    const events = this.#frames.push(bufferOf(piece))
    if (this.#frames.isOverflowing) throw brokenFault('Anthropic', 'sent an event that does not end')
    return events.length === 0 ? events : this.#forward(events)
  }

  end(): Uint8Array {
    if (this.#fault) throw this.#fault
    const rest = this.#frames.rest()
    const tail = rest.length === 0 ? rest : this.#forwardRest(rest)
    if (!this.#isOver) throw brokenFault('Anthropic', 'ended the stream before the answer was complete')
    return tail
  }

  #forward(events: Buffer): Buffer {
    // One character for each byte, so that places in the text are places in the bytes.
    const text = events.toString('latin1')
    if (!this.#isBegun) this.#checkBeginning(text)
    const whole = notable.test(text) ? this.#examine(text) : text.length
    this.#unread += text.slice(0, whole)
    if (this.#unread.length > unreadLimit) void this.delivered
    if (whole === 0 && this.#fault) throw this.#fault
    return whole === text.length ? events : events.subarray(0, whole)
  }

  /** Reads the events that tell something; gives the place of an error, or the end of the text. */
  #examine(text: string): number {
    let start = 0
    for (const blank of text.matchAll(/\r?\n\r?\n/g)) {
      const end = blank.index + blank[0].length
      const event = text.slice(start, end)
      if (notable.test(event)) this.#note(dataOf(event))
      if (this.#fault) return start
      start = end
    }
    return text.length
  }

  #note(data: JsonObject): void {
    if (data['type'] === 'message_start')
      this.#report = mergeUsage(this.#report, objectOf(data['message'])['usage'])
    else if (data['type'] === 'message_delta') this.#report = mergeUsage(this.#report, data['usage'])
    else if (data['type'] === 'message_stop') this.#isOver = true
    else if (data['type'] === 'error') this.#fault = errorFault(data)
  }

  /** A page, or one JSON error, in place of a stream. */
  #checkBeginning(text: string): void {
    const first = text.trimStart().charAt(0)
    this.#isBegun = first !== ''
    if (first !== '<' && first !== '{' && first !== '[') return
    const body = parseJson(Buffer.from(text, 'latin1').toString())
    if (isObject(body) && body['type'] === 'error') throw errorFault(body)
    throw brokenFault('Anthropic', 'did not answer with a stream', text.slice(0, 500))
  }

  /** An event whose closing blank line never came counts when it is whole otherwise. */
  #forwardRest(rest: Buffer): Buffer {
    if (!this.#isBegun) this.#checkBeginning(rest.toString('latin1'))
    const closed = Buffer.concat([rest, Buffer.from('\n\n')])
    return 'type' in dataOf(closed.toString('latin1')) ? this.#forward(closed) : Buffer.alloc(0)
  }
}

function dataOf(event: string): JsonObject {
  const [first] = new SseParser().push(Buffer.from(event, 'latin1'))
  return objectOf(parseJson(first?.data ?? ''))
}

function textIn(events: string): string {
  return new SseParser()
    .push(Buffer.from(events, 'latin1'))
    .map(({ data }) => objectOf(objectOf(parseJson(data))['delta']))
    .map((delta) => stringOf(delta['text']) + stringOf(delta['thinking']) + stringOf(delta['partial_json']))
    .join('')
}
