import { invalidField, type Fault } from '#kernel/errors'
import { isFlatMetadata, passChat, type ChatUpstream } from '../../passthrough/chat-exchange.ts'
import { edit } from '../../passthrough/edit.ts'
import { reportedFault } from '../../passthrough/fault.ts'
import { noBytes, PassthroughReader, type StreamFormat, type Verdict } from '../../passthrough/reader.ts'
import { readChatUsage } from '../../passthrough/usage.ts'
import type { ChatExchange, ChatRequest, PassthroughRequest, Usage } from '../../provider.ts'
import { isAbsent, isObject, objectOf, parseJson, stringOf, type JsonObject } from '../../wire/json.ts'
import { SseParser, type SseEvent } from '../../wire/sse.ts'
import { isReasoningModel, unsupportedSampling } from './family.ts'
import { failureOf, parseResponse } from './responses/completion.ts'
import { responseUsage } from './responses/usage.ts'

const name = 'OpenAI'

export function passChatCompletion(request: ChatRequest): ChatExchange {
  const { rename = {}, remove = [] } = newLimitName(request)
  const adapted = unsupportedSampling(request)
  return passChat(request, {
    name,
    model: request.model,
    usageOnRequest: true,
    // OpenAI refuses metadata of a completion that it does not store.
    takesMetadata: request.body['store'] === true,
    rename,
    remove,
    adapted,
    usageOf: (response) => readChatUsage(response['usage']),
    reported: (error) => reportedFault(name, error),
  })
}

/** Reasoning models refuse the old name of the limit; with both given, OpenAI itself says what is wrong. */
function newLimitName({ model, body }: ChatRequest): Pick<ChatUpstream, 'rename' | 'remove'> {
  const isOld = !isAbsent(body['max_tokens']) && isAbsent(body['max_completion_tokens'])
  if (!isOld || !isReasoningModel(model)) return {}
  // A null under the new name would stand beside the renamed member.
  return { rename: { max_tokens: 'max_completion_tokens' }, remove: ['max_completion_tokens'] }
}

/** A Responses request: the client's bytes go to OpenAI, and the bytes of its response come back. */
export function passResponses({ raw, body }: PassthroughRequest): ChatExchange {
  if (!isAbsent(body['background']) && body['background'] !== false) {
    throw invalidField('background', 'must be false: a response fetched later could not be billed')
  }
  const dropped = isFlatMetadata(body['metadata']) ? [] : ['metadata']
  return {
    path: '/responses',
    body: edit(raw, body, { remove: dropped }),
    dropped,
    response(bytes) {
      const response = parseResponse(bytes, name)
      return { body: bytes, usage: responseUsage(response), storedId: storedIdOf(response) }
    },
    stream: responseEvents,
  }
}

export const responseEvents = (): PassthroughReader => new PassthroughReader(new ResponsesFormat())

/** OpenAI returns an ID for those that it does not keep, too. */
function storedIdOf(response: JsonObject): string | undefined {
  const id = stringOf(response['id'])
  return response['store'] !== false && response['object'] === 'response' && id !== '' ? id : undefined
}

/** The events that begin or end a response. The model's text cannot look like this: its quotes are escaped. */
const readEvent = /"type"\s*:\s*"(?:error|response\.(?:created|completed|incomplete|failed|cancelled))"/

/** The events that carry text of the model. Audio and images also come in deltas, but hold no text. */
const textEvents = new Set([
  'response.output_text.delta',
  'response.refusal.delta',
  'response.reasoning_summary_text.delta',
  'response.reasoning_text.delta',
  'response.function_call_arguments.delta',
  'response.custom_tool_call_input.delta',
])

class ResponsesFormat implements StreamFormat {
  usage: Usage | null = null
  storedId: string | undefined
  readonly provider = name
  #isEnded = false

  find(events: string): number {
    return events.search(readEvent)
  }

  read({ data }: SseEvent): Verdict {
    const event = objectOf(parseJson(data))
    const response = objectOf(event['response'])
    switch (event['type']) {
      case 'response.created':
        this.storedId = storedIdOf(response)
        return 'keep'
      case 'error':
        return reportedFault(name, event)
      case 'response.failed':
        return reportedFault(name, isObject(response['error']) ? response : event)
      case 'response.completed':
      case 'response.incomplete':
      case 'response.cancelled':
        return this.#end(response)
      default:
        return 'keep'
    }
  }

  #end(response: JsonObject): Verdict {
    const failure = failureOf(response, name)
    if (failure) return failure
    this.usage = responseUsage(response)
    this.#isEnded = true
    return 'keep'
  }

  errorIn(body: JsonObject): Fault | undefined {
    const message = stringOf(objectOf(body['error'])['message'])
    return message === '' ? undefined : reportedFault(name, body)
  }

  textIn(events: string): string {
    return new SseParser()
      .push(Buffer.from(events, 'latin1'))
      .map(({ data }) => objectOf(parseJson(data)))
      .map((event) => (textEvents.has(stringOf(event['type'])) ? stringOf(event['delta']) : ''))
      .join('')
  }

  ending(): Uint8Array | undefined {
    return this.#isEnded ? noBytes : undefined
  }
}
