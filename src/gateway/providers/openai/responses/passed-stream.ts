import { Fault } from '#kernel/errors'
import { brokenFault } from '../../../wire/fault.ts'
import { bufferOf, isObject, objectOf, parseJson, stringOf, type JsonObject } from '../../../wire/json.ts'
import type { StreamReader, Usage } from '../../../provider.ts'
import { EventFrames } from '../../../passthrough/frames.ts'
import { reportedFault } from '../../../passthrough/fault.ts'
import { SseParser } from '../../../wire/sse.ts'
import { refuseFailure } from './completion.ts'
import { PassedText } from './passed-text.ts'

interface PassRules {
  readonly name: string
  usageOf(response: JsonObject): Usage | null
}

/** The events that end a response. Words of the model cannot look so: their quotes are escaped. */
const ending = /"type"\s*:\s*"(?:error|response\.(?:completed|incomplete|failed|cancelled))"/

/**
 * Passes the events of a response on as they came and reads along. An error event makes it throw; when the same
 * piece held something before it, that is returned first and the next call throws.
 */
export class PassedResponse implements StreamReader {
  usage: Usage | null = null
  readonly #rules: PassRules
  readonly #frames = new EventFrames()
  readonly #text = new PassedText()
  #fault: Fault | undefined
  #isBegun = false
  #isEnded = false

  constructor(rules: PassRules) {
    this.#rules = rules
  }

  get delivered(): string {
    return this.#text.text
  }

  push(piece: Uint8Array): Uint8Array {
    if (this.#fault) throw this.#fault
    const events = this.#frames.push(bufferOf(piece))
    if (this.#frames.isOverflowing) throw brokenFault(this.#rules.name, 'sent an event that does not end')
    return events.length === 0 ? events : this.#pass(events)
  }

  end(): Uint8Array {
    if (this.#fault) throw this.#fault
    const rest = this.#frames.rest()
    const tail = rest.toString('latin1').trim() === '' ? Buffer.alloc(0) : this.#passRest(rest)
    if (!this.#isEnded) throw brokenFault(this.#rules.name, 'ended the stream before the answer was complete')
    return tail
  }

  #pass(events: Buffer): Buffer {
    // One character for each byte, so that positions in the text are positions in the bytes.
    const text = events.toString('latin1')
    if (!this.#isBegun) this.#checkBeginning(text, events)
    const passed = ending.test(text) ? this.#examine(text) : text.length
    this.#text.add(text.slice(0, passed))
    if (this.#fault && passed === 0) throw this.#fault
    return events.subarray(0, passed)
  }

  /** Reads the events that end the response; gives how much of the text may go on. */
  #examine(text: string): number {
    let start = 0
    for (const match of text.matchAll(/\r?\n\r?\n/g)) {
      const end = match.index + match[0].length
      const event = text.slice(start, end)
      try {
        if (ending.test(event)) this.#judge(Buffer.from(event, 'latin1'))
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        this.#fault = error
        return start
      }
      start = end
    }
    return text.length
  }

  #judge(bytes: Buffer): void {
    const event = objectOf(parseJson(new SseParser().push(bytes)[0]?.data ?? ''))
    const response = objectOf(event['response'])
    switch (event['type']) {
      case 'error':
        throw reportedFault(this.#rules.name, event)
      case 'response.failed':
        throw reportedFault(this.#rules.name, isObject(response['error']) ? response : event)
      case 'response.completed':
      case 'response.incomplete':
      case 'response.cancelled':
        refuseFailure(response, this.#rules.name)
        this.usage = this.#rules.usageOf(response)
        this.#isEnded = true
        break
      default:
    }
  }

  /** An event whose closing blank line never came counts when it is whole otherwise; half a one does not. */
  #passRest(rest: Buffer): Buffer {
    const closed = Buffer.concat([rest, Buffer.from('\n\n')])
    const event = new SseParser().push(closed)[0]
    const isWhole = event !== undefined && parseJson(event.data) !== undefined
    if (isWhole || !this.#isBegun) return this.#pass(closed)
    return Buffer.alloc(0)
  }

  /** Some upstreams answer a request for a stream with status 200 and a page, or with one JSON error. */
  #checkBeginning(text: string, body: Buffer): void {
    const first = text.trimStart().charAt(0)
    this.#isBegun = first !== ''
    if (first !== '<' && first !== '{' && first !== '[') return
    const parsed = objectOf(parseJson(body.toString()))
    if (stringOf(objectOf(parsed['error'])['message']) !== '') throw reportedFault(this.#rules.name, parsed)
    throw brokenFault(this.#rules.name, 'did not answer with a stream', body.toString('utf8', 0, 500))
  }
}
