import { ChunkWriter } from '../../wire/chunk-writer.ts'
import { EventReader } from '../../wire/event-reader.ts'
import type { StreamReader, Usage } from '../../provider.ts'
import type { SseEvent } from '../../wire/sse.ts'
import type { MessageContext } from './response.ts'
import { isObject, objectOf, parseJson, stringOf, type JsonObject } from '../../wire/json.ts'
import { reasoningEntry } from '../../chat/reasoning-details.ts'
import { brokenFault } from '../../wire/fault.ts'
import { errorFault } from './fault.ts'
import { finishReason, refusalOf, toAnnotations } from './finish.ts'
import { reasoningFormat } from './messages.ts'
import { mergeUsage, toUsage } from './usage.ts'

/** What is known of a block that has begun. */
interface OpenBlock {
  type: string
  /** Thinking so far, or sealed thinking. */
  value: string
  signature: string
  citations: unknown[]
  /** Of a text: where it begins in the content. */
  start: number
  /** Of a call: its place among the calls, whether arguments have come, and those it began with. */
  call: number
  hasArguments: boolean
  input: unknown
}

export class AnthropicStream implements StreamReader {
  delivered = ''
  readonly #context: MessageContext & { wantsUsage: boolean }
  readonly #events = new EventReader((event) => this.#read(event))
  readonly #blocks = new Map<unknown, OpenBlock>()
  #writer: ChunkWriter | undefined
  #report: JsonObject | null = null
  #ending: JsonObject = {}
  #isOver = false
  #contentLength = 0
  #calls = 0
  #details = 0

  constructor(context: MessageContext & { wantsUsage: boolean }) {
    this.#context = context
  }

  get usage(): Usage | null {
    return toUsage(this.#report)
  }

  push(piece: Uint8Array): string {
    return this.#events.push(piece)
  }

  end(): string {
    const last = this.#events.end()
    if (!this.#isOver || !this.#writer) {
      throw brokenFault('Anthropic', 'ended the stream before the response was complete')
    }
    return last + this.#writer.usage(this.usage) + this.#writer.done()
  }

  #read(event: SseEvent): string {
    const data = parseJson(event.data)
    if (!isObject(data)) throw brokenFault('Anthropic', 'sent a stream event that is not JSON')
    if (this.#isOver) return ''
    switch (data['type']) {
      case 'message_start':
        return this.#start(objectOf(data['message']))
      case 'content_block_start':
        return this.#open(data['index'], objectOf(data['content_block']))
      case 'content_block_delta':
        return this.#delta(this.#blocks.get(data['index']), objectOf(data['delta']))
      case 'content_block_stop':
        return this.#close(data['index'])
      case 'message_delta':
        this.#report = mergeUsage(this.#report, data['usage'])
        this.#ending = { ...this.#ending, ...objectOf(data['delta']) }
        return ''
      case 'message_stop':
        return this.#finish()
      case 'ping':
        return ': ping\n\n'
      case 'error':
        throw errorFault(data)
      default:
        return ''
    }
  }

  #start(message: JsonObject): string {
    this.#report = mergeUsage(this.#report, message['usage'])
    if (this.#writer) return ''
    return this.#chunks(stringOf(message['id'])).delta({ role: 'assistant', content: '' })
  }

  #chunks(id = ''): ChunkWriter {
    const { requestedModel, wantsUsage } = this.#context
    this.#writer ??=
      id === ''
        ? new ChunkWriter(requestedModel, wantsUsage)
        : new ChunkWriter(requestedModel, wantsUsage, `chatcmpl-${id}`)
    return this.#writer
  }

  #open(index: unknown, block: JsonObject): string {
    const type = stringOf(block['type'])
    const open: OpenBlock = {
      type,
      value: stringOf(block['data']),
      signature: stringOf(block['signature']),
      citations: [],
      start: this.#contentLength,
      call: 0,
      hasArguments: false,
      input: block['input'],
    }
    this.#blocks.set(index, open)
    if (type === 'text') return this.#text(stringOf(block['text']))
    if (type === 'thinking') return this.#think(open, stringOf(block['thinking']))
    if (type !== 'tool_use') return ''
    open.call = this.#calls++
    const name = this.#context.names.toClient(stringOf(block['name']))
    const call = { index: open.call, id: stringOf(block['id']), type: 'function' }
    return this.#chunks().delta({ tool_calls: [{ ...call, function: { name, arguments: '' } }] })
  }

  #delta(open: OpenBlock | undefined, delta: JsonObject): string {
    // Text is passed on even where its block was never announced, so that none is lost.
    if (delta['type'] === 'text_delta') return this.#text(stringOf(delta['text']))
    if (!open) return ''
    switch (delta['type']) {
      case 'thinking_delta':
        return this.#think(open, stringOf(delta['thinking']))
      case 'input_json_delta':
        return open.type === 'tool_use' ? this.#arguments(open, stringOf(delta['partial_json'])) : ''
      case 'signature_delta':
        open.signature += stringOf(delta['signature'])
        return ''
      case 'citations_delta':
        open.citations.push(delta['citation'])
        return ''
      default:
        return ''
    }
  }

  #text(text: string): string {
    if (text === '') return ''
    this.#contentLength += text.length
    this.delivered += text
    return this.#chunks().delta({ content: text })
  }

  #think(open: OpenBlock, text: string): string {
    if (text === '') return ''
    open.value += text
    this.delivered += text
    return this.#chunks().delta({ reasoning_content: text, reasoning: text })
  }

  #arguments(open: OpenBlock, text: string): string {
    if (text === '') return ''
    open.hasArguments = true
    this.delivered += text
    return this.#chunks().delta({ tool_calls: [{ index: open.call, function: { arguments: text } }] })
  }

  #close(index: unknown): string {
    const open = this.#blocks.get(index)
    this.#blocks.delete(index)
    if (!open) return ''
    switch (open.type) {
      case 'text': {
        const annotations = toAnnotations(open.citations, open.start, this.#contentLength)
        return annotations.length > 0 ? this.#chunks().delta({ annotations }) : ''
      }
      case 'thinking':
        return this.#detail({ type: 'reasoning.text', text: open.value, signature: open.signature })
      case 'redacted_thinking':
        return this.#detail({ type: 'reasoning.encrypted', data: open.value })
      case 'tool_use':
        // A call without arguments has no pieces, but clients parse what they have collected.
        return open.hasArguments ? '' : this.#arguments(open, JSON.stringify(open.input ?? {}))
      default:
        return ''
    }
  }

  /** One whole entry for each block: clients that only collect entries can send them back as they are. */
  #detail(content: Record<string, unknown>): string {
    const place = {
      index: this.#details++,
      format: reasoningFormat,
      model: this.#context.model,
      textBefore: this.#contentLength,
      callsBefore: this.#calls,
    }
    return this.#chunks().delta({ reasoning_details: [reasoningEntry(content, place)] })
  }

  #finish(): string {
    this.#isOver = true
    const writer = this.#chunks()
    const refusal = refusalOf(this.#ending)
    const reason = finishReason(stringOf(this.#ending['stop_reason']))
    return (refusal === null ? '' : writer.delta({ refusal })) + writer.delta({}, reason)
  }
}
