import { contentText, reasoningText } from '../../chat/response-content.ts'
import type { StreamReader, Usage } from '../../providers/index.ts'
import { arrayOf, isObject, objectOf, parseJson, stringOf, type JsonObject } from '../../wire/json.ts'
import { SseParser } from '../../wire/sse.ts'
import type { SseEvent } from '../../wire/sse.ts'
import { KeptReasoning } from '../sealed-reasoning.ts'
import { BlockWriter, toEvent } from './block-writer.ts'
import { endingOf, toMessageUsage } from './ending.ts'
import { imageNote, messageHead } from './response-parts.ts'
import type { ResponseContext } from './context.ts'
import { StreamedCalls } from './streamed-calls.ts'
import { StreamedSources } from './streamed-sources.ts'

/** Translates a provider's chat stream to a Messages stream. The inner reader throws its errors. */
export class MessageStream implements StreamReader {
  readonly #inner: StreamReader
  readonly #context: ResponseContext
  readonly #parser = new SseParser()
  readonly #blocks = new BlockWriter()
  readonly #calls: StreamedCalls
  readonly #sources = new StreamedSources()
  readonly #kept: KeptReasoning
  #isStarted = false
  #isOver = false
  #hasText = false
  #ending: JsonObject = {}
  #text = ''
  #refusal = ''
  /** Text that arrived between the pieces of a call. */
  #held: JsonObject[] = []

  constructor(inner: StreamReader, context: ResponseContext) {
    this.#inner = inner
    this.#context = context
    this.#calls = new StreamedCalls(context.names)
    this.#kept = new KeptReasoning(context.providerId)
  }

  get usage(): Usage | null {
    return this.#inner.usage
  }

  get delivered(): string {
    return this.#inner.delivered
  }

  push(piece: Uint8Array): string {
    return this.#take(this.#parser.push(Buffer.from(this.#inner.push(piece))))
  }

  end(): string {
    const last = this.#take(this.#parser.push(Buffer.from(this.#inner.end())))
    return last + this.#take(this.#parser.end()) + this.#finish()
  }

  #take(events: readonly SseEvent[]): string {
    let out = ''
    for (const { data } of events) out += data === '[DONE]' ? this.#finish() : this.#read(parseJson(data))
    return out
  }

  #read(chunk: unknown): string {
    if (!isObject(chunk) || this.#isOver) return ''
    const out = this.#begin(chunk)
    const choice = arrayOf(chunk['choices']).map(objectOf).find(isFirst)
    if (!choice) return out
    if (typeof choice['finish_reason'] === 'string') this.#ending = choice
    return out + this.#write(objectOf(choice['delta']))
  }

  #begin(chunk: JsonObject): string {
    if (this.#isStarted) return ''
    this.#isStarted = true
    const message = {
      ...messageHead(stringOf(chunk['id']), this.#context.model),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      // Counted at the end; clients that show the size of the prompt at once get an estimate.
      usage: { ...toMessageUsage(null), input_tokens: this.#context.estimateInput() },
    }
    return toEvent({ type: 'message_start', message })
  }

  #write(delta: JsonObject): string {
    this.#kept.add(delta['reasoning_details'])
    this.#sources.add(delta['annotations'])
    const out = (hasText(delta) ? this.#words(delta) : '') + this.#cite()
    const pieces = arrayOf(delta['tool_calls']).map(objectOf)
    if (pieces.length === 0) return out
    const isFirst = this.#calls.count === 0
    const sealed = isFirst || this.#blocks.open === 'thinking' ? this.#seal() : ''
    for (const piece of pieces) this.#kept.addCall(this.#calls.add(piece), piece)
    return out + sealed + this.#calls.write(this.#blocks, 'calls')
  }

  #words(delta: JsonObject): string {
    const calls = this.#calls.write(this.#blocks, 'words')
    if (!this.#calls.isUnfinished) return calls + this.#release() + this.#writeText(delta)
    this.#held.push(delta)
    return calls
  }

  /** Text that was held comes before later text. */
  #release(): string {
    let out = ''
    for (const delta of this.#held) out += this.#writeText(delta)
    this.#held = []
    return out
  }

  /** Everything of a delta that is not a call. */
  #writeText(delta: JsonObject): string {
    const content = contentText(delta['content'])
    const refusal = stringOf(delta['refusal'])
    this.#text += content
    this.#refusal += refusal
    return this.#think(reasoningText(delta)) + this.#say(content + refusal + imageNote(delta))
  }

  #think(thinking: string): string {
    if (thinking === '' || this.#context.hidesThinking) return ''
    const begin =
      this.#blocks.open === 'thinking'
        ? ''
        : this.#blocks.begin('thinking', { type: 'thinking', thinking: '', signature: '' })
    return begin + this.#blocks.delta({ type: 'thinking_delta', thinking })
  }

  #say(text: string): string {
    if (text === '') return ''
    return this.#openText() + this.#blocks.delta({ type: 'text_delta', text }) + this.#cite()
  }

  #openText(): string {
    this.#hasText = true
    if (this.#blocks.open === 'text') return ''
    return this.#seal() + this.#blocks.begin('text', { type: 'text', text: '', citations: null })
  }

  /** Signs the open thinking block, or puts what must be kept in a block of its own. */
  #seal(): string {
    if (this.#blocks.open === 'thinking') {
      const signature = this.#kept.take()
      return this.#blocks.delta({ type: 'signature_delta', signature }) + this.#blocks.close()
    }
    if (this.#kept.isEmpty) return ''
    const block = { type: 'redacted_thinking', data: this.#kept.take() }
    return this.#blocks.begin('sealed', block) + this.#blocks.close()
  }

  /**
   * A response without calls ends with its text: Claude Code takes the last block for the whole response. No provider
   * requires what is sealed after the text.
   */
  #sealLast(hasCalls: boolean): string {
    const endsWithText = this.#hasText && !hasCalls && this.#blocks.open !== 'thinking'
    return endsWithText ? '' : this.#seal()
  }

  /** Sources follow the text they belong to while its block is open; a closed block takes no more. */
  #cite(): string {
    return this.#blocks.open === 'text' ? this.#citations(this.#sources.take(this.#text)) : ''
  }

  /** Sources that arrive after their text was closed get a block without text, so that no call has to wait for them. */
  #citeLate(): string {
    const late = this.#sources.takeRest(this.#text)
    return this.#hasText && late.length > 0 ? this.#openText() + this.#citations(late) : ''
  }

  #citations(citations: readonly unknown[]): string {
    return citations.map((citation) => this.#blocks.delta({ type: 'citations_delta', citation })).join('')
  }

  #finish(): string {
    if (this.#isOver) return ''
    const begin = this.#begin({})
    this.#isOver = true
    const hasCalls = this.#calls.count > 0
    const written = this.#calls.write(this.#blocks, 'nothing') + this.#release()
    const blocks = written + this.#citeLate() + this.#sealLast(hasCalls) + this.#blocks.close()
    const ending = endingOf(this.#ending, { hasCalls, refusal: this.#refusal }, this.#context.stops)
    const { input_tokens, output_tokens, ...counts } = toMessageUsage(this.usage)
    const usage = {
      input_tokens,
      output_tokens,
      cache_creation_input_tokens: counts.cache_creation_input_tokens,
      cache_read_input_tokens: counts.cache_read_input_tokens,
      output_tokens_details: counts.output_tokens_details,
      server_tool_use: counts.server_tool_use,
    }
    const end = toEvent({ type: 'message_delta', delta: { container: null, ...ending }, usage })
    return begin + blocks + end + toEvent({ type: 'message_stop' })
  }
}

/** Many servers send empty text with every piece of a call. */
function hasText(delta: JsonObject): boolean {
  const isText =
    reasoningText(delta) !== '' || contentText(delta['content']) !== '' || stringOf(delta['refusal']) !== ''
  return isText || arrayOf(delta['images']).length > 0
}

/** A Messages request asks for one response; of a server that sends more only the first is read. */
function isFirst(choice: JsonObject): boolean {
  return choice['index'] === undefined || choice['index'] === 0
}
