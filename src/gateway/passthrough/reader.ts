import type { Fault } from '#kernel/errors'
import type { StreamReader, Usage } from '../provider.ts'
import { brokenFault } from '../wire/fault.ts'
import { bufferOf, isObject, parseJson, type JsonObject } from '../wire/json.ts'
import { SseParser, type SseEvent } from '../wire/sse.ts'
import { DeliveredText, type DeliveredFormat } from './delivered-text.ts'
import { EventFrames } from './frames.ts'

/** What becomes of an event: it is sent, left out, sent with other data, or it ends the stream with an error. */
export type Verdict = 'keep' | 'drop' | Uint8Array | Fault

/** Reads a stream of one API format while its bytes are passed on. It remembers what it read: one for each stream. */
export interface StreamFormat extends DeliveredFormat {
  /** The provider's name, for error messages. */
  readonly provider: string
  readonly usage: Usage | null
  readonly storedId?: string | undefined
  /** Where the first event to be read may be; -1 for none. Runs for every piece of every stream, so it parses nothing. */
  find(events: string): number
  /** Reads an event in which `find` finds something. */
  read(event: SseEvent): Verdict
  /** The error in a JSON object that was sent in place of a stream. */
  errorIn(body: JsonObject): Fault | undefined
  /** Bytes to add when the upstream has ended, mostly none; undefined when the response is not complete. */
  ending(delivered: DeliveredText): Uint8Array | undefined
}

export const noBytes = Buffer.alloc(0)
const blankLine = Buffer.from('\n\n')
const newline = 0x0a
const carriageReturn = 0x0d

/**
 * Passes the bytes of a stream on and reads along. Nearly every piece is returned as the same object, after a search
 * for the few words that matter. An error event makes the reader throw; when the same piece held events before it,
 * those are returned first and the next call throws.
 */
export class PassthroughReader implements StreamReader {
  readonly #format: StreamFormat
  readonly #frames = new EventFrames()
  readonly #delivered: DeliveredText
  #fault: Fault | undefined
  #isBegun = false

  constructor(format: StreamFormat) {
    this.#format = format
    this.#delivered = new DeliveredText(format)
  }

  get usage(): Usage | null {
    return this.#format.usage
  }

  get storedId(): string | undefined {
    return this.#format.storedId
  }

  get delivered(): string {
    return this.#delivered.text
  }

  /** Read from the last events only when it is asked for. */
  get nextNumber(): number {
    return this.#delivered.lastNumber + 1
  }

  push(piece: Uint8Array): Uint8Array {
    if (this.#fault) throw this.#fault
    const events = this.#frames.push(bufferOf(piece))
    if (this.#frames.isOverflowing)
      throw brokenFault(this.#format.provider, 'sent an event that does not end')
    return events.length === 0 ? events : this.#forward(events)
  }

  end(): Uint8Array {
    if (this.#fault) throw this.#fault
    const rest = this.#frames.rest()
    const tail = rest.length === 0 ? rest : this.#forwardRest(rest)
    const ending = this.#format.ending(this.#delivered)
    if (!ending) throw brokenFault(this.#format.provider, 'ended the stream before the response was complete')
    return ending.length === 0 ? tail : Buffer.concat([tail, ending])
  }

  #forward(events: Buffer): Buffer {
    // One character per byte, so that positions in the text are positions in the bytes.
    const text = events.toString('latin1')
    if (!this.#isBegun) this.#checkBeginning(text)
    const found = this.#format.find(text)
    if (found >= 0) return this.#examine(events, text, eventStart(text, found))
    this.#delivered.add(text)
    return events
  }

  /** Goes through the events from a position on and leaves out what is not for the client. */
  #examine(events: Buffer, text: string, from: number): Buffer {
    const kept: Buffer[] = []
    let keptFrom = 0
    let start = from
    const eventEnd = /\r?\n\r?\n/g
    eventEnd.lastIndex = from
    for (const match of text.matchAll(eventEnd)) {
      const end = match.index + match[0].length
      if (this.#format.find(text.slice(start, end)) >= 0) {
        const verdict = this.#judge(events.subarray(start, end))
        if (verdict !== 'keep') {
          kept.push(events.subarray(keptFrom, start))
          keptFrom = end
        }
        if (verdict instanceof Uint8Array) kept.push(withData(text.slice(start, end), verdict))
        else if (typeof verdict === 'object')
          return this.#fail(verdict, Buffer.concat(kept), text.slice(0, start))
      }
      start = end
    }
    this.#delivered.add(text)
    return keptFrom === 0 ? events : Buffer.concat([...kept, events.subarray(keptFrom)])
  }

  #judge(bytes: Buffer): Verdict {
    const [event] = new SseParser().push(bytes)
    return event ? this.#format.read(event) : 'keep'
  }

  #fail(fault: Fault, before: Buffer, text: string): Buffer {
    this.#fault = fault
    this.#delivered.add(text)
    if (before.length === 0) throw fault
    return before
  }

  /** Some upstreams respond to a request for a stream with status 200 and an HTML page, or with one JSON error. */
  #checkBeginning(text: string): void {
    const first = text.trimStart().charAt(0)
    this.#isBegun = first !== ''
    if (first !== '<' && first !== '{' && first !== '[') return
    const body = Buffer.from(text, 'latin1').toString()
    const parsed = parseJson(body)
    const fault = isObject(parsed) ? this.#format.errorIn(parsed) : undefined
    throw fault ?? brokenFault(this.#format.provider, 'did not send a stream', body.slice(0, 500))
  }

  /** An event without its closing blank line counts when its data is whole. */
  #forwardRest(rest: Buffer): Buffer {
    if (!this.#isBegun) this.#checkBeginning(rest.toString('latin1'))
    const closed = Buffer.concat([rest, blankLine])
    const [event] = new SseParser().push(closed)
    const isWhole = event && (event.data === '[DONE]' || parseJson(event.data) !== undefined)
    return isWhole ? this.#forward(closed) : noBytes
  }
}

/** An event with other data. Its remaining lines stay as they are. */
function withData(event: string, data: Uint8Array): Buffer {
  const others = event.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('data:'))
  const head = others.map((line) => `${line}\n`).join('')
  return Buffer.concat([Buffer.from(`${head}data: `, 'latin1'), data, blankLine])
}

/** Where the event around a position begins. Line by line, since most streams have no blank line with `\r` to be found. */
function eventStart(text: string, position: number): number {
  let end = text.lastIndexOf('\n', position)
  while (end > 0) {
    const previous = text.charCodeAt(end - 1) === carriageReturn ? end - 2 : end - 1
    if (text.charCodeAt(previous) === newline) return end + 1
    end = text.lastIndexOf('\n', end - 1)
  }
  return 0
}
