import { arrayOf, objectOf, parseJson, stringOf, type JsonObject } from '../../wire/json.ts'
import type { StreamReader, Usage } from '../../providers/index.ts'
import { SseParser } from '../../wire/sse.ts'
import type { SseEvent } from '../../wire/sse.ts'
import type { ResponseContext } from './response.ts'
import { endingOf, envelope, responseUsage } from './envelope.ts'
import { EventWriter } from './event-writer.ts'
import { StreamedOutput } from './streamed-output.ts'

/** Translates the chunks of a chat completion, as a provider's reader returns them, to the events of a response. */
export class ResponseStream implements StreamReader {
  readonly #chat: StreamReader
  readonly #parser = new SseParser()
  readonly #writer = new EventWriter()
  readonly #output: StreamedOutput
  readonly #response: JsonObject
  #finishReason: unknown
  #tier: JsonObject = {}
  #isBegun = false

  constructor(chat: StreamReader, context: ResponseContext) {
    this.#chat = chat
    this.#output = new StreamedOutput(this.#writer, context)
    this.#response = envelope(context.request)
  }

  get usage(): Usage | null {
    return this.#chat.usage
  }

  get delivered(): string {
    return this.#chat.delivered
  }

  get nextNumber(): number {
    return this.#writer.next
  }

  push(piece: Uint8Array): string {
    this.#read(this.#parser.push(bytesOf(this.#chat.push(piece))))
    return this.#writer.take()
  }

  /** The provider's reader throws where its stream ended too early; what arrived until here is a response. */
  end(): string {
    this.#read(this.#parser.push(bytesOf(this.#chat.end())))
    this.#read(this.#parser.end())
    this.#begin()
    const ending = endingOf(this.#finishReason)
    const output = this.#output.finish(ending.status)
    const response = { ...this.#response, ...this.#tier, ...ending, output, ...responseUsage(this.usage) }
    this.#writer.emit(`response.${ending.status}`, { response })
    return this.#writer.take()
  }

  #read(events: readonly SseEvent[]): void {
    for (const { data } of events) {
      const chunk = objectOf(parseJson(data))
      this.#begin()
      if (typeof chunk['service_tier'] === 'string') this.#tier = { service_tier: chunk['service_tier'] }
      const choice = objectOf(arrayOf(chunk['choices'])[0])
      this.#output.add(objectOf(choice['delta']), arrayOf(objectOf(choice['logprobs'])['content']))
      this.#finishReason = stringOf(choice['finish_reason']) || this.#finishReason
    }
  }

  #begin(): void {
    if (this.#isBegun) return
    this.#isBegun = true
    this.#writer.emit('response.created', { response: this.#response })
    this.#writer.emit('response.in_progress', { response: this.#response })
  }
}

function bytesOf(piece: string | Uint8Array): Uint8Array {
  return typeof piece === 'string' ? Buffer.from(piece) : piece
}
