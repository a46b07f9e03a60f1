import type { Fault } from '#kernel/errors'
import type { StreamReader, Usage } from '../../provider.ts'
import { brokenFault } from '../../wire/fault.ts'
import { reportedFault } from '../../passthrough/fault.ts'
import { EventFrames } from '../../passthrough/frames.ts'
import { bufferOf, isAbsent, isObject, parseJson, stringOf } from '../../wire/json.ts'
import { SseParser, type SseEvent } from '../../wire/sse.ts'
import { readTranscriptionUsage } from './usage.ts'

/** Forwards the events of a streamed transcript and reads along: usage, text, errors, and whether it came to its end. */
export class TranscriptReader implements StreamReader {
  usage: Usage | null = null
  delivered = ''
  readonly #provider: string
  readonly #frames = new EventFrames()
  #fault: Fault | undefined
  #isOpen = false

  constructor(provider: string) {
    this.#provider = provider
  }

  push(piece: Uint8Array): Uint8Array {
    if (this.#fault) throw this.#fault
    const events = this.#frames.push(bufferOf(piece))
    if (this.#frames.isOverflowing) throw brokenFault(this.#provider, 'sent an event that does not end')
    return this.#forward(events)
  }

  end(): Uint8Array {
    if (this.#fault) throw this.#fault
    const rest = this.#forward(Buffer.concat([this.#frames.rest(), Buffer.from('\n\n')]))
    if (this.#isOpen) throw brokenFault(this.#provider, 'ended the stream before the transcript was complete')
    return rest.length > 2 ? rest : new Uint8Array()
  }

  /** What comes before an error still goes to the client; the next call throws it. */
  #forward(events: Buffer): Buffer {
    // One character for each byte, so that positions in the text are positions in the bytes.
    const text = events.toString('latin1')
    let start = 0
    for (const match of text.matchAll(/\r?\n\r?\n/g)) {
      const end = match.index + match[0].length
      for (const event of new SseParser().push(events.subarray(start, end))) {
        this.#fault = this.#read(event)
        if (this.#fault && start === 0) throw this.#fault
        if (this.#fault) return events.subarray(0, start)
      }
      start = end
    }
    return events
  }

  #read({ event, data }: SseEvent): Fault | undefined {
    const value = parseJson(data)
    if (event === 'error') return reportedFault(this.#provider, isObject(value) ? value : { message: data })
    if (data.trim() === '[DONE]') this.#isOpen = false
    if (!isObject(value)) return undefined
    if (!isAbsent(value['error']) || value['type'] === 'error') return reportedFault(this.#provider, value)
    if (value['type'] === 'transcript.text.delta') {
      this.#isOpen = true
      this.delivered += stringOf(value['delta'])
    }
    if (value['type'] === 'transcript.text.done') this.#isOpen = false
    this.usage = readTranscriptionUsage(value, Buffer.from(data)) ?? this.usage
    return undefined
  }
}
