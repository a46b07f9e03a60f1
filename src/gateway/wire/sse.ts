import { StringDecoder } from 'node:string_decoder'
import { brokenFault } from './fault.ts'

export interface SseEvent {
  /** The `event:` name; empty when the stream names none. */
  event: string
  data: string
}

/** Far above any event that holds an image; below what would hurt when many streams do it. */
export const maxEventLength = 32 * 1024 * 1024

/**
 * Reads server-sent events from pieces of any size: a piece may end inside a line, a character or the pair CR LF.
 * Comments are skipped; `end` gives an event whose closing blank line never came. Each character is looked at once,
 * however the pieces are cut, and an event that does not end is refused.
 */
export class SseParser {
  readonly #decoder = new StringDecoder('utf8')
  /** The unfinished line. Appending is cheap as long as nobody searches in it. */
  #rest = ''
  #dataLength = 0
  #event = ''
  #data: string[] = []

  push(piece: Uint8Array): SseEvent[] {
    return this.#read(this.#decoder.write(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)))
  }

  end(): SseEvent[] {
    const events = this.#read(`${this.#decoder.end()}\n`)
    const last = this.#dispatch()
    return last ? [...events, last] : events
  }

  #read(text: string): SseEvent[] {
    const events: SseEvent[] = []
    let start = 0
    for (let newline = text.indexOf('\n'); newline >= 0; newline = text.indexOf('\n', start)) {
      const line = this.#rest + text.slice(start, newline)
      this.#rest = ''
      const event = this.#line(line.endsWith('\r') ? line.slice(0, -1) : line)
      if (event) events.push(event)
      start = newline + 1
    }
    this.#rest += text.slice(start)
    if (this.#rest.length + this.#dataLength > maxEventLength)
      throw brokenFault('The provider', 'sent an event that does not end')
    return events
  }

  #line(line: string): SseEvent | undefined {
    if (line === '') return this.#dispatch()
    if (line.startsWith('data:')) {
      this.#data.push(line.slice(line.charCodeAt(5) === 32 ? 6 : 5))
      this.#dataLength += line.length
    } else if (line.startsWith('event:')) this.#event = line.slice(6).trim()
    return undefined
  }

  #dispatch(): SseEvent | undefined {
    const event = this.#data.length > 0 ? { event: this.#event, data: this.#data.join('\n') } : undefined
    this.#event = ''
    this.#data = []
    this.#dataLength = 0
    return event
  }
}
