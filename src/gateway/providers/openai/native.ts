import { invalid } from '#kernel/errors'
import { brokenFault } from '../../wire/fault.ts'
import { bufferOf, isAbsent, isObject, parseJson } from '../../wire/json.ts'
import type { ChatResponse, ChatExchange, PassthroughRequest } from '../../provider.ts'
import { edit } from '../../passthrough/edit.ts'
import { isFlatMetadata } from '../../passthrough/exchange.ts'
import { refuseFailure } from './responses/completion.ts'
import { PassedResponse } from './responses/passed-stream.ts'
import { responseUsage } from './responses/usage.ts'

const name = 'OpenAI'

/** A response asked for in OpenAI's own form: the client's bytes go there, and its bytes come back. */
export function passResponses({ raw, body }: PassthroughRequest): ChatExchange {
  if (!isAbsent(body['background']) && body['background'] !== false) {
    throw invalid(
      'background must be false: an answer fetched later could not be accounted for.',
      'background',
    )
  }
  const dropped = isFlatMetadata(body['metadata']) ? [] : ['metadata']
  return {
    path: '/responses',
    body: edit(raw, body, { remove: dropped }),
    dropped,
    response: readAnswer,
    stream: () => new PassedResponse({ name, usageOf: responseUsage }),
  }
}

function readAnswer(bytes: Uint8Array): ChatResponse {
  const json = bufferOf(bytes)
  const response = parseJson(json.toString())
  if (!isObject(response)) {
    throw brokenFault(name, 'gave an answer that is not JSON', json.toString('utf8', 0, 500))
  }
  refuseFailure(response, name)
  if (!Array.isArray(response['output'])) {
    throw brokenFault(name, 'gave an answer without output', json.toString('utf8', 0, 500))
  }
  return { body: bytes, usage: responseUsage(response) }
}
