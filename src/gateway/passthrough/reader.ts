import type { Fault } from '#kernel/errors'
import type { StreamReader, Usage } from '../provider.ts'
import { SseParser } from '../wire/sse.ts'
import { Delivered } from './delivered.ts'
import { brokenFault } from '../wire/fault.ts'
import { EventFrames } from './frames.ts'
import {
  arrayOf,
  bufferOf,
  isAbsent,
  isObject,
  objectOf,
  parseJson,
  stringOf,
  type JsonObject,
} from '../wire/json.ts'
import { findNotable, saysOnlyUsage } from './notable.ts'

export interface ForwardRules {
  readonly name: string
  /** The client asked for the usage chunk, or the upstream sends no separate one. */
  readonly showsUsage: boolean
  /** Reads usage from an answer or chunk; the bytes are given where exact digits matter. */
  usageOf(answer: JsonObject, json: Buffer): Usage | null
  /** The fault for an error told inside an answer with status 200. */
  reported(error: unknown): Fault
}

const done = Buffer.from('data: [DONE]\n\n')

/**
 * Forwards the bytes of a chat-completion stream and reads along. Nearly every piece is handed back as the same
 * object, after a search for the few words that need care. An error event makes the reader throw; when the same
 * piece held events before it, those are returned first and the next call throws.
 */
export class ForwardingReader implements StreamReader {
  readonly #rules: ForwardRules
  readonly #frames = new EventFrames()
  readonly #delivered = new Delivered()
  #usage: Usage | null = null
  #fault: Fault | undefined
  #isBegun = false

  constructor(rules: ForwardRules) {
    this.#rules = rules
  }

  get usage(): Usage | null {
    return this.#usage
  }

  get delivered(): string {
    return this.#delivered.text
  }

  push(piece: Uint8Array): Uint8Array {
    if (this.#fault) throw this.#fault
    const events = this.#frames.push(bufferOf(piece))
    if (this.#frames.isOverflowing) throw brokenFault(this.#rules.name, 'sent an event that does not end')
    return events.length === 0 ? events : this.#forward(events)
  }

  end(): Uint8Array {
    if (this.#fault) throw this.#fault
    const rest = this.#frames.rest()
    const tail = rest.length === 0 ? rest : this.#forwardRest(rest)
    if (this.#delivered.isDone) return tail
    if (!this.#delivered.isFinished) {
      throw brokenFault(this.#rules.name, 'ended the stream before the answer was complete')
    }
    return Buffer.concat([tail, done])
  }

  #forward(events: Buffer): Buffer {
    // One character for each byte, so that positions in the text are positions in the bytes.
    const text = events.toString('latin1')
    if (!this.#isBegun) this.#checkBeginning(text)
    const notable = findNotable(text)
    if (notable >= 0) return this.#examine(events, text, eventStart(text, notable))
    this.#delivered.add(text)
    return events
  }

  /** Goes through the events from a place on, one by one, and takes out what is not for the client. */
  #examine(events: Buffer, text: string, from: number): Buffer {
    const kept: Buffer[] = []
    let keptFrom = 0
    let start = from
    const blankLine = /\r?\n\r?\n/g
    blankLine.lastIndex = from
    for (const match of text.matchAll(blankLine)) {
      const end = match.index + match[0].length
      if (findNotable(text.slice(start, end)) >= 0) {
        const verdict = this.#judge(events.subarray(start, end))
        if (verdict !== 'keep') {
          kept.push(events.subarray(keptFrom, start))
          keptFrom = end
        }
        if (typeof verdict === 'object') return this.#fail(verdict, Buffer.concat(kept), text.slice(0, start))
      }
      start = end
    }
    this.#delivered.add(text)
    return keptFrom === 0 ? events : Buffer.concat([...kept, events.subarray(keptFrom)])
  }

  #fail(fault: Fault, before: Buffer, text: string): Buffer {
    this.#fault = fault
    this.#delivered.add(text)
    if (before.length === 0) throw fault
    return before
  }

  #judge(bytes: Buffer): 'keep' | 'drop' | Fault {
    const event = new SseParser().push(bytes)[0]
    if (!event) return 'keep'
    const chunk = parseJson(event.data)
    if (event.event === 'error')
      return this.#rules.reported(isObject(chunk) ? chunk : { message: event.data })
    if (!isObject(chunk)) return 'keep'
    if (reportsError(chunk)) return this.#rules.reported(chunk)
    if (!isObject(chunk['usage'])) return 'keep'
    this.#usage = this.#rules.usageOf(chunk, Buffer.from(event.data)) ?? this.#usage
    return !this.#rules.showsUsage && saysOnlyUsage(chunk) ? 'drop' : 'keep'
  }

  /** Some upstreams answer a request for a stream with status 200 and a page, or with one JSON error. */
  #checkBeginning(text: string): void {
    const first = text.trimStart().charAt(0)
    if (first === '<' || first === '{' || first === '[') this.#failWhole(Buffer.from(text, 'latin1'))
    this.#isBegun = first !== ''
  }

  #failWhole(body: Buffer): never {
    const parsed = parseJson(body.toString())
    if (isObject(parsed) && reportsError(parsed)) throw this.#rules.reported(parsed)
    throw brokenFault(this.#rules.name, 'did not answer with a stream', body.toString('utf8', 0, 500))
  }

  /** An event whose closing blank line never came counts when it is whole otherwise; half a one does not. */
  #forwardRest(rest: Buffer): Buffer {
    if (!this.#isBegun && /^\s*[<{[]/.test(rest.toString('latin1', 0, 64))) this.#failWhole(rest)
    const event = new SseParser().push(Buffer.concat([rest, Buffer.from('\n\n')]))[0]
    if (!event || (event.data !== '[DONE]' && parseJson(event.data) === undefined)) return Buffer.alloc(0)
    return this.#forward(Buffer.concat([rest, Buffer.from('\n\n')]))
  }
}

/** Where the event around a place begins. */
function eventStart(text: string, place: number): number {
  const plain = text.lastIndexOf('\n\n', place)
  const carried = text.lastIndexOf('\n\r\n', place)
  return Math.max(plain < 0 ? 0 : plain + 2, carried < 0 ? 0 : carried + 3)
}

function reportsError(chunk: JsonObject): boolean {
  const error = chunk['error']
  if (!isAbsent(error) && error !== '' && error !== false) return true
  return arrayOf(chunk['choices']).some((choice) => stringOf(objectOf(choice)['finish_reason']) === 'error')
}
