import { arrayOf, isObject, objectOf, parseJson, stringOf, type JsonObject } from '../../wire/json.ts'
import { brokenFault } from '../../wire/fault.ts'
import { ChunkWriter } from '../../wire/chunk-writer.ts'
import type { Delta } from '../../wire/chunk-writer.ts'
import { EventReader } from '../../wire/event-reader.ts'
import type { StreamReader, Usage } from '../../provider.ts'
import type { SseEvent } from '../../wire/sse.ts'
import { extraOf, sealed, thoughts, toCall } from './response.ts'
import type { CandidateContext } from './response.ts'
import { errorFault } from './fault.ts'
import { blockedPrompt, finishOf } from './finish.ts'
import type { Finish } from './finish.ts'
import { countSearches, toAnnotations } from './grounding.ts'
import { imageEntry, readResponsePart } from './response-part.ts'
import type { ResponsePart } from './response-part.ts'
import { mergeUsage, toUsage } from './usage.ts'

export class GeminiStream implements StreamReader {
  delivered = ''
  readonly #context: CandidateContext & { wantsUsage: boolean }
  readonly #events = new EventReader((event) => this.#read(event))
  #writer: ChunkWriter | undefined
  #id = ''
  #report: JsonObject | null = null
  #grounding: unknown
  /** The fields with which the candidate has ended; undefined until then. */
  #ending: JsonObject | undefined
  #blocked: Finish | undefined
  #content = ''
  #thoughts = ''
  #signature = ''
  #calls = 0
  #images = 0
  #details = 0

  constructor(context: CandidateContext & { wantsUsage: boolean }) {
    this.#context = context
  }

  get usage(): Usage | null {
    return toUsage(this.#report, countSearches(this.#grounding, this.#context.generation))
  }

  push(piece: Uint8Array): string {
    return this.#events.push(piece)
  }

  /** Google sends no end marker: the response is complete when the candidate has a finish reason. */
  end(): string {
    const last = this.#events.end()
    if (!this.#writer || (!this.#ending && !this.#blocked)) {
      throw brokenFault('Gemini', 'ended the stream before the response was complete')
    }
    const ending = this.#flushThoughts() + this.#finish(this.#ending ?? {})
    return last + ending + this.#writer.usage(this.usage) + this.#writer.done()
  }

  #read(event: SseEvent): string {
    const data = parseJson(event.data)
    if (!isObject(data)) throw brokenFault('Gemini', 'sent a stream event that is not JSON')
    if (isObject(data['error'])) throw errorFault(data)
    this.#report = mergeUsage(this.#report, data['usageMetadata'])
    let out = this.#writer ? '' : this.#begin(stringOf(data['responseId']))
    this.#blocked ??= blockedPrompt(data)
    const candidate = objectOf(arrayOf(data['candidates'])[0])
    for (const item of arrayOf(objectOf(candidate['content'])['parts'])) {
      const part = readResponsePart(item)
      if (part) out += this.#write(part)
    }
    if (isObject(candidate['groundingMetadata'])) this.#grounding = candidate['groundingMetadata']
    if (typeof candidate['finishReason'] === 'string') this.#ending = candidate
    return out
  }

  #begin(id: string): string {
    const { requestedModel, wantsUsage } = this.#context
    this.#writer =
      id === ''
        ? new ChunkWriter(requestedModel, wantsUsage)
        : new ChunkWriter(requestedModel, wantsUsage, `chatcmpl-${id}`)
    this.#id = this.#writer.id.slice('chatcmpl-'.length)
    return this.#delta({ role: 'assistant', content: '' })
  }

  #delta(delta: Delta, finishReason: string | null = null): string {
    return this.#writer?.delta(delta, finishReason) ?? ''
  }

  #write(part: ResponsePart): string {
    if (part.kind === 'thought') {
      if (part.text === '') return ''
      this.#thoughts += part.text
      this.delivered += part.text
      return this.#delta({ reasoning_content: part.text, reasoning: part.text })
    }
    const out = this.#flushThoughts()
    if (part.kind === 'call') return out + this.#call(part)
    if (part.kind === 'image') {
      this.#images += 1
      return out + this.#delta({ images: [imageEntry(part.url)] })
    }
    this.#signature = part.signature || this.#signature
    if (part.text === '') return out
    this.#content += part.text
    this.delivered += part.text
    return out + this.#delta({ content: part.text })
  }

  /** Calls come whole: one chunk has the name and all the arguments. */
  #call(part: ResponsePart & { kind: 'call' }): string {
    if (this.#context.isSingleCall && this.#calls > 0) return ''
    const index = this.#calls++
    const id = part.id || `call_${this.#id}_0_${index}`
    this.delivered += part.arguments
    const call = this.#delta({ tool_calls: [{ index, ...toCall(part, id, this.#context.names) }] })
    return part.signature === '' ? call : call + this.#seal(part.signature, id)
  }

  /** One whole entry for a run of thoughts: clients that only collect entries can send them back as they are. */
  #flushThoughts(): string {
    if (this.#thoughts === '') return ''
    const entry = thoughts(this.#thoughts, this.#details++, this.#context.model)
    this.#thoughts = ''
    return this.#delta({ reasoning_details: [entry] })
  }

  #seal(signature: string, id?: string): string {
    const entry = sealed(signature, this.#details++, this.#context.model, id)
    return this.#delta({ reasoning_details: [entry] })
  }

  #finish(ending: JsonObject): string {
    const hasContent = this.#content !== '' || this.#images > 0
    const finish = this.#ending
      ? finishOf(ending, { hasCalls: this.#calls > 0, hasContent })
      : (this.#blocked ?? { reason: 'stop', refusal: null })
    const annotations = toAnnotations(this.#grounding, [{ text: this.#content, start: 0 }])
    const extra = extraOf(this.#signature, stringOf(ending['continuationToken']))
    let out = annotations.length > 0 ? this.#delta({ annotations }) : ''
    if (this.#signature !== '') out += this.#seal(this.#signature)
    if (extra !== undefined) out += this.#delta({ extra_content: extra })
    if (finish.refusal !== null) out += this.#delta({ refusal: finish.refusal })
    return out + this.#delta({}, finish.reason)
  }
}
