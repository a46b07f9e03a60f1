import { StringDecoder } from 'node:string_decoder'

export interface SseEvent {
  /** The `event:` name; empty when the stream names none. */
  event: string
  data: string
}

/**
 * Reads server-sent events from pieces of any size: a piece may end inside a line, a character or the pair CR LF.
 * Comments are skipped; `end` gives an event whose closing blank line never came.
 */
export class SseParser {
  readonly #decoder = new StringDecoder('utf8')
  #rest = ''
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
    const buffer = this.#rest + text
    let start = 0
    for (;;) {
      const newline = buffer.indexOf('\n', start)
      if (newline < 0) break
      const isCarriage = buffer.charCodeAt(newline - 1) === 13 && newline > start
      const event = this.#line(buffer.slice(start, isCarriage ? newline - 1 : newline))
      if (event) events.push(event)
      start = newline + 1
    }
    this.#rest = buffer.slice(start)
    return events
  }

  #line(line: string): SseEvent | undefined {
    if (line === '') return this.#dispatch()
    if (line.startsWith('data:')) this.#data.push(line.slice(line.charCodeAt(5) === 32 ? 6 : 5))
    else if (line.startsWith('event:')) this.#event = line.slice(6).trim()
    return undefined
  }

  #dispatch(): SseEvent | undefined {
    const event = this.#data.length > 0 ? { event: this.#event, data: this.#data.join('\n') } : undefined
    this.#event = ''
    this.#data = []
    return event
  }
}
