import { ChunkWriter } from '../../../wire/chunk-writer.ts'
import type { Delta } from '../../../wire/chunk-writer.ts'
import { EventReader } from '../../../wire/event-reader.ts'
import type { StreamReader, Usage } from '../../../provider.ts'
import { brokenFault } from '../../../wire/fault.ts'
import { reportedFault } from '../../../passthrough/fault.ts'
import { arrayOf, isObject, objectOf, parseJson, stringOf, type JsonObject } from '../../../wire/json.ts'
import { valueAt } from '../../../passthrough/members.ts'
import { failureOf, finishReason } from './completion.ts'
import type { ResponseRules } from './completion.ts'
import { readOutput } from './output.ts'
import { StreamedCalls } from './stream-calls.ts'
import { StreamedReasoning } from './stream-reasoning.ts'

/** Turns the events of a response into chat-completion chunks. */
export class ResponseReader implements StreamReader {
  readonly #rules: ResponseRules
  readonly #writer: ChunkWriter
  readonly #events = new EventReader(({ data }) => this.#read(data))
  readonly #calls = new StreamedCalls()
  readonly #reasoning = new StreamedReasoning()
  readonly #results: unknown[] = []
  #usage: Usage | null = null
  #isBegun = false
  #isEnded = false
  #text = ''
  #refusal = ''
  #delivered = ''

  constructor(rules: ResponseRules) {
    this.#rules = rules
    this.#writer = new ChunkWriter(rules.model, rules.wantsUsage)
  }

  get usage(): Usage | null {
    return this.#usage
  }

  get delivered(): string {
    return this.#delivered
  }

  push(piece: Uint8Array): string {
    return this.#events.push(piece)
  }

  end(): string {
    const last = this.#events.end()
    if (!this.#isEnded)
      throw brokenFault(this.#rules.name, 'ended the stream before the response was complete')
    return last
  }

  #read(data: string): string {
    if (this.#isEnded || data === '[DONE]') return ''
    const event = parseJson(data)
    if (!isObject(event))
      throw brokenFault(this.#rules.name, 'sent an event that is not JSON', data.slice(0, 500))
    const type = stringOf(event['type'])
    if (type === 'error') throw reportedFault(this.#rules.name, event)
    if (
      ['response.completed', 'response.incomplete', 'response.failed', 'response.cancelled'].includes(type)
    ) {
      return this.#finish(event, data)
    }
    return this.#write(this.#deltasOf(type, event))
  }

  #deltasOf(type: string, event: JsonObject): Delta[] {
    const delta = stringOf(event['delta'])
    const item = objectOf(event['item'])
    switch (type) {
      case 'response.output_text.delta':
        return this.#content(delta)
      case 'response.refusal.delta':
        return this.#refuse(delta)
      case 'response.reasoning_summary_text.delta':
        return this.#reasoning.summary(stringOf(event['item_id']), event['summary_index'] ?? 0, delta)
      case 'response.output_item.added':
        return asDelta(this.#calls.begin(item, event))
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        return asDelta(this.#calls.more(event))
      case 'response.output_item.done':
        return this.#complete(item, event)
      default:
        return type.startsWith('response.reasoning.') ? this.#think(event) : []
    }
  }

  /** Perplexity sends its thoughts and search results as events of their own. */
  #think(event: JsonObject): Delta[] {
    this.#results.push(...arrayOf(event['results']))
    const thought = stringOf(event['thought'])
    return thought === '' ? [] : [{ reasoning_content: thought, reasoning: thought }]
  }

  #content(text: string): Delta[] {
    this.#text += text
    return text === '' ? [] : [{ content: text }]
  }

  #refuse(text: string): Delta[] {
    this.#refusal += text
    return text === '' ? [] : [{ refusal: text }]
  }

  #complete(item: JsonObject, event: JsonObject): Delta[] {
    if (item['type'] === 'reasoning') return this.#reasoning.complete(item)
    return asDelta(this.#calls.complete(item, event))
  }

  /** The final event repeats everything: what never came in deltas goes out now, what did is not repeated. */
  #finish(event: JsonObject, data: string): string {
    const response = objectOf(event['response'])
    if (stringOf(event['type']) === 'response.failed')
      throw reportedFault(this.#rules.name, isObject(response['error']) ? response : event)
    const failure = failureOf(response, this.#rules.name)
    if (failure) throw failure
    const output = readOutput(response['output'])
    const items = arrayOf(response['output']).map(objectOf)
    const late = [
      ...items.flatMap((item) => this.#complete(item, {})),
      ...this.#content(missing(output.text, this.#text)),
      ...this.#refuse(missing(output.refusal ?? '', this.#refusal)),
    ]
    this.#usage = this.#rules.usageOf(response, valueAt(Buffer.from(data), ['response']) ?? Buffer.alloc(0))
    const { annotations, members, usage } = this.#rules.decorate(
      response,
      { ...output, text: this.#text },
      this.#results,
    )
    if (annotations.length > 0) late.push({ annotations })
    this.#isEnded = true
    const finish = finishReason(response, this.#calls.count > 0)
    return (
      this.#write(late) +
      this.#writer.delta({}, finish, 0, members) +
      this.#writer.usage(this.#usage, usage) +
      this.#writer.done()
    )
  }

  #write(deltas: readonly Delta[]): string {
    let chunks = this.#isBegun ? '' : this.#writer.delta({ role: 'assistant', content: '' })
    this.#isBegun = true
    for (const delta of deltas) {
      this.#delivered += textIn(delta)
      chunks += this.#writer.delta(delta)
    }
    return chunks
  }
}

function asDelta(calls: JsonObject[]): Delta[] {
  return calls.map((call) => ({ tool_calls: [call] }))
}

function missing(whole: string, sent: string): string {
  return whole.length > sent.length && whole.startsWith(sent) ? whole.slice(sent.length) : ''
}

function textIn(delta: Delta): string {
  const calls = arrayOf(delta.tool_calls).map((call) => {
    const { function: target, custom } = objectOf(call)
    return (
      stringOf(objectOf(target)['name']) +
      stringOf(objectOf(target)['arguments']) +
      stringOf(objectOf(custom)['input'])
    )
  })
  return (delta.reasoning ?? '') + (delta.content ?? '') + (delta.refusal ?? '') + calls.join('')
}
