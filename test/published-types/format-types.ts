import type { MessageCreateParams as BetaMessageCreateParams } from '@anthropic-ai/sdk/resources/beta/messages/messages'
import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/messages/messages'
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions'
import type {
  FunctionTool,
  Response,
  ResponseCreateParams,
  ResponseInputItem,
  ResponseOutputRefusal,
  ResponseOutputText,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses'
import type { GeminiRequest } from './gemini-type.ts'

/** The body of a request on each format, from the types that the providers publish. */
export interface FormatTypes {
  anthropic: MessageCreateParams
  /** The names of the betas go in a header. */
  anthropicBeta: Without<BetaMessageCreateParams, 'betas'>
  gemini: GeminiRequest
  chatCompletions: ChatCompletionCreateParams
  responses: Without<ResponseCreateParams, 'input'> & { input: (ResponseInputItem | SpokenBefore)[] }
  perplexityAgent: AgentRequest
  openrouter: OpenRouterRequest
  /** What our own clients receive from the Responses API. */
  clientResponse: ClientResponse
  clientEvent: ClientEvent
}

/** The package itself adds the text of the whole output. */
type ClientResponse = Omit<Response, 'output_text'>
type ClientEvent<Event = ResponseStreamEvent> = Event extends { response: Response }
  ? Omit<Event, 'response'> & { response: ClientResponse }
  : Event

/** `Omit` for each member of a union, so that the discriminating field stays. */
type Without<Type, Key extends PropertyKey> = Type extends unknown ? Omit<Type, Key> : never

/**
 * An earlier assistant message, without the id of a stored response. OpenAI's type for it wants an id, a status and
 * annotations, which a client of chat completions never had; the API takes the message without them.
 */
interface SpokenBefore {
  type: 'message'
  role: 'assistant'
  content: (Pick<ResponseOutputText, 'type' | 'text'> | ResponseOutputRefusal)[]
}

/** OpenRouter publishes no types of its own here: OpenAI's, its names of models, and the fields it adds. */
type OpenRouterRequest = ChatCompletionCreateParams & {
  model: `${string}/${string}`
  models?: `${string}/${string}`[]
  top_k?: number
  provider?: { order?: string[]; allow_fallbacks?: boolean }
  reasoning?: { effort?: string; max_tokens?: number; exclude?: boolean; enabled?: boolean }
}

/** Perplexity's Agent API as its reference describes it; no package publishes its types. */
interface AgentRequest {
  model: 'perplexity/sonar'
  preset?: 'fast' | 'low' | 'medium' | 'high' | 'xhigh'
  input: AgentItem[]
  tools?: (AgentSearch | FunctionTool)[]
  max_output_tokens?: number
  temperature?: number
  top_p?: number
  response_format?: { type: 'json_schema'; json_schema: AgentSchema }
  reasoning?: { effort: 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' }
  language_preference?: string
  max_steps?: number
  stream?: true
}

interface AgentSchema {
  name: string
  schema: Record<string, unknown>
  description?: string
  strict?: boolean
}

type AgentItem =
  | { type: 'message'; role: 'system' | 'user'; content: string | AgentInput[] }
  | { type: 'message'; role: 'assistant'; content: string | { type: 'output_text'; text: string }[] }
  | { type: 'function_call'; call_id: string; name: string; arguments: string; thought_signature?: string }
  | {
      type: 'function_call_output'
      call_id: string
      name?: string
      output: string
      thought_signature?: string
    }

type AgentInput =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: `https://${string}` | `data:image/${string}` }

interface AgentSearch {
  type: 'web_search'
  search_context_size?: 'low' | 'medium' | 'high'
  filters?: {
    search_domain_filter?: string[]
    search_recency_filter?: 'hour' | 'day' | 'week' | 'month' | 'year'
    search_after_date_filter?: string
    search_before_date_filter?: string
    last_updated_after_filter?: string
    last_updated_before_filter?: string
  }
  user_location?: { country?: string; city?: string; region?: string; latitude?: number; longitude?: number }
}
