import { noteDropped, refuseFields } from '../../chat/fields.ts'
import { isAbsent } from '../../wire/json.ts'
import { toJson } from '../../wire/request-json.ts'
import type { ToolNames } from '../../chat/tool-names.ts'
import type { ChatRequest, Provider } from '../../provider.ts'
import type { ClientRequest } from '../../api.ts'
import { toConversation } from './conversation.ts'
import { cacheControlOf, placesFor } from './cache-control.ts'
import { threadUnsupported } from './fault.ts'
import { hidesThinking, stopsIn, toFormat, toReasoning, toSampling, toTier } from './settings.ts'
import { chatNames, toToolFields } from './tools.ts'

const handled = new Set(
  `system max_tokens temperature top_p top_k stop_sequences tools tool_choice thinking output_config output_format
  service_tier container mcp_servers inference_geo cache_control`.split(/\s+/),
)

/** What only Anthropic can do, or promise. */
const refused = {
  container: 'needs a model of the provider that runs containers.',
  mcp_servers: 'needs a model of the provider that calls them.',
  inference_geo: 'cannot be promised for this model.',
}

/** A Messages request as a chat request, and what is needed to translate the response back. */
export interface TranslatedRequest {
  chat: ChatRequest
  dropped: Set<string>
  names: ToolNames
  /** For each chat message the field of the request that it was made from. */
  origins: readonly string[]
  hidesThinking: boolean
  stops: readonly string[]
}

export function toChat(request: ClientRequest, provider: Provider): TranslatedRequest {
  const { body, model, isStream } = request
  const dropped = new Set<string>()
  const names = chatNames()
  const context = { providerId: provider.id, names, dropped, cachePlaces: placesFor(request, provider) }
  if (!isAbsent(body['thread'])) throw threadUnsupported()
  refuseFields(body, refused)
  const tools = toToolFields(body, names, context)
  const { messages, origins } = toConversation(body, context)
  const mark = cacheControlOf(body, '', 'request', context)
  const chatBody = {
    model,
    messages,
    ...toSampling(body),
    ...tools,
    ...toReasoning(body, dropped),
    ...toFormat(body, dropped),
    ...toTier(body),
    ...(mark ? { cache_control: mark } : {}),
    ...(isStream ? { stream: true, stream_options: { include_usage: true } } : {}),
  }
  noteDropped(body, handled, dropped)
  if (!isAbsent(body['metadata'])) dropped.add('metadata')
  return {
    chat: {
      raw: Buffer.from(toJson(chatBody)),
      body: chatBody,
      model,
      requestedModel: request.shownModel ?? model,
      isStream,
      wantsUsage: true,
    },
    dropped,
    names,
    origins,
    hidesThinking: hidesThinking(body),
    stops: stopsIn(body),
  }
}
