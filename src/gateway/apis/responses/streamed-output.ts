import { arrayOf, isObject, objectOf, stringOf, type JsonObject } from '../../wire/json.ts'
import { isOther } from '../../chat/streamed-call-id.ts'
import { KeptReasoning } from '../sealed-reasoning.ts'
import { contentText, reasoningText } from '../../chat/response-content.ts'
import type { ResponseContext } from './response.ts'
import type { Status } from './envelope.ts'
import type { EventWriter } from './event-writer.ts'
import { imageItem } from './items.ts'
import { StreamedCall } from './streamed-call.ts'
import { StreamedMessage } from './streamed-message.ts'
import { StreamedReasoning } from './streamed-reasoning.ts'
import { targetOf } from './targets.ts'

/**
 * The output of a response as the pieces of a chat completion build it. One item is open at a time; only calls
 * whose arguments arrive in turns are open together.
 */
export class StreamedOutput {
  readonly #writer: EventWriter
  readonly #context: Pick<ResponseContext, 'provider' | 'targets'>
  readonly #items: JsonObject[] = []
  readonly #calls = new Map<unknown, StreamedCall>()
  /** What the next reasoning item has to carry. */
  readonly #kept: KeptReasoning
  #open: StreamedReasoning | StreamedMessage | undefined
  #lastMessage: StreamedMessage | undefined
  #textLength = 0
  #count = 0

  constructor(writer: EventWriter, context: Pick<ResponseContext, 'provider' | 'targets'>) {
    this.#writer = writer
    this.#context = context
    this.#kept = new KeptReasoning(context.provider.id)
  }

  add(delta: JsonObject, logprobs: readonly unknown[]): void {
    const thought = reasoningText(delta)
    if (thought !== '') this.#reasoning().think(thought)
    this.#kept.add(delta['reasoning_details'])
    const text = contentText(delta['content'])
    if (text !== '') {
      this.#message().say(text, logprobs)
      this.#textLength += text.length
    }
    const refusal = stringOf(delta['refusal'])
    if (refusal !== '') this.#message().refuse(refusal)
    for (const call of arrayOf(delta['tool_calls'])) if (isObject(call)) this.#call(call)
    this.#lastMessage?.annotate(delta['annotations'])
    for (const image of arrayOf(delta['images'])) this.#image(imageItem(image))
  }

  /** Closes every item and returns the whole output. */
  finish(status: Status): JsonObject[] {
    this.#endSpeech(status)
    for (const [key, call] of this.#calls) this.#endCall(key, call)
    // What a provider signs after its last word, such as a call, has no other place.
    if (!this.#kept.isEmpty) this.#reasoning()
    if (this.#count === 0) this.#message()
    this.#endSpeech(status)
    return this.#items
  }

  #reasoning(): StreamedReasoning {
    if (this.#open?.kind === 'reasoning') return this.#open
    this.#endWhole()
    const reasoning = new StreamedReasoning(this.#writer, this.#count++)
    this.#open = reasoning
    return reasoning
  }

  #message(): StreamedMessage {
    if (this.#open?.kind === 'message') return this.#open
    this.#endWhole()
    const message = new StreamedMessage(this.#writer, this.#count++, this.#textLength)
    this.#open = message
    this.#lastMessage = message
    return message
  }

  #call(piece: JsonObject): void {
    const target = objectOf(piece['function'])
    const name = stringOf(target['name'])
    // Some servers leave the index out where there is one call only.
    const key = piece['index'] ?? 0
    let call = this.#calls.get(key)
    if (call && isOther(call.callId, stringOf(piece['id']), name)) {
      this.#endCall(key, call)
      call = undefined
    }
    if (!call) {
      // A late empty delta of a call that is already closed.
      if (name === '') return
      this.#endWhole()
      const called = targetOf(this.#context.targets, name)
      call = new StreamedCall(this.#writer, this.#count++, { ...called, callId: stringOf(piece['id']) })
      this.#calls.set(key, call)
    }
    this.#kept.addCall(stringOf(piece['id']), piece)
    call.more(stringOf(target['arguments']))
  }

  #image(item: JsonObject | undefined): void {
    if (!item) return
    this.#endWhole()
    const index = this.#count++
    const started = { ...item, status: 'in_progress', result: null }
    this.#writer.emit('response.output_item.added', { output_index: index, item: started })
    this.#writer.emit('response.output_item.done', { output_index: index, item })
    this.#items[index] = item
  }

  /** Closes what is complete before a new item starts. */
  #endWhole(): void {
    this.#endSpeech('completed')
    for (const [key, call] of this.#calls) if (call.isWhole) this.#endCall(key, call)
  }

  #endCall(key: unknown, call: StreamedCall): void {
    this.#items[call.index] = call.close()
    this.#calls.delete(key)
  }

  #endSpeech(status: Status): void {
    const open = this.#open
    if (!open) return
    this.#open = undefined
    this.#items[open.index] = open.kind === 'message' ? open.close(status) : open.close(this.#kept)
  }
}
