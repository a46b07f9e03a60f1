import type { Fault, FieldFault } from '#kernel/errors'
import type { BuiltInId } from './provider-names.ts'

/**
 * A provider is data and pure functions: it translates, and never does I/O. Transport, timeouts, cancelling and
 * metering live once, outside. Nothing outside this folder names a provider.
 */
export interface Provider {
  readonly id: string
  /** The neutral word of the specification, accepted wherever an id is taken. */
  readonly specName: string | null
  readonly name: string
  readonly docsUrl: string
  /** A model belongs to the provider with the longest prefix of its name. */
  readonly prefixes: readonly string[]
  /** Words that stand for the id before a slash and a model's name. */
  readonly words?: readonly string[]
  /** Takes a list of models to try itself, as `models`. */
  readonly takesModels?: boolean
  /** A prefix must be the whole name, or be followed by a hyphen. */
  readonly isWholeWord?: boolean
  credentials(key: string): Credentials
  /** Reads a Chat Completions request and returns the upstream call. Throws a Fault that names a field it cannot honour. */
  chat(request: ChatRequest): ChatExchange
  /** API formats besides Chat Completions that the provider supports itself; requests in others are translated. */
  readonly passthrough?: Readonly<
    Partial<Record<'responses' | 'messages', (request: PassthroughRequest) => ChatExchange>>
  >
  /** Where the provider keeps responses: the path before their IDs, and a reader of their events. */
  readonly storedResponses?: { readonly path: string; stream(): StreamReader }
  /** How to ask for the number of input tokens: a Messages response with `input_tokens`. Without it they are estimated. */
  countTokens?(request: ChatRequest): ChatExchange
  /** Where a chat request translated from another API format may hold `cache_control`, by model; by default nowhere. */
  cachePlaces?(model: string): readonly CachePlace[]
  /** The fault for a response with an error status. */
  fault(response: ErrorResponse): Fault
  /** How to list the models; undefined where the provider has no such route. */
  readonly models: ModelListing | undefined
  /** A call that needs the key and costs nothing, where listing the models is not one. */
  readonly keyCheckPath?: string
  /** The models of a provider that has no list. */
  readonly knownModels?: readonly ModelInfo[]
  /** Without it the provider's models have no built-in prices. */
  readonly prices?: PriceSource
  /** The path that takes audio for transcription, where there is one. */
  readonly transcriptionPath?: string
  readonly embeddings?: EmbeddingModels
  /** Without it none of its models is a default for agents. */
  readonly agentModels?: AgentModels
  /** When models end, by name, as YYYY-MM-DD: what the provider announced. */
  readonly retirements?: Readonly<Record<string, string>>
}

/** Models that can drive an agent. */
export interface AgentModels {
  /** The name of such a model, without dates and previews. */
  readonly family: RegExp
  /** Where the provider's list cannot be read. */
  readonly fallback: string
}

/** One that ships with the product: its id and name are in the list of names. */
export interface BuiltInProvider extends Provider {
  readonly id: BuiltInId
}

/** The embedding models of a provider, asked for in OpenAI's format. */
export interface EmbeddingModels {
  /** Where they are not those of the provider's other models. */
  readonly prefixes?: readonly string[]
  exchange(request: EmbeddingRequest): EmbeddingExchange
}

export interface EmbeddingRequest {
  /** The model name as the client sent it. */
  readonly model: string
  readonly body: Readonly<Record<string, unknown>>
}

export interface EmbeddingExchange extends Pick<ChatExchange, 'path' | 'query' | 'dropped'> {
  /** One call for each, one after the other: some providers limit the texts of one call. */
  readonly bodies: readonly string[]
  /** Reads the responses to the calls; after a failure, to those before it. */
  response(received: readonly Uint8Array[]): ChatResponse
}

/** A mark that ends what of the prompt is kept in a cache: on a text, on a tool, or for the request as a whole. */
export type CachePlace = 'text' | 'tool' | 'request'

export interface Credentials {
  headers?: Record<string, string>
  query?: Record<string, string>
}

/** The provider's entry in the price table that comes with the product, `@pydantic/genai-prices`. */
export interface TablePrices {
  readonly tableId: string
  /** The name of a model in the table, where it is not the requested name without the provider's prefix. */
  tableModel?(model: string): string
  /** The unit in which the provider reports the table's web searches; `web_search` by default. */
  readonly searchUnit?: string
}

/** Prices that the table does not have, in US dollars as decimal strings. */
export interface FixedPrice {
  /** Per million tokens. */
  readonly inputPrice: string
  readonly outputPrice: string
  readonly cacheReadPrice: string
  /** Per use of another billed unit, such as a web search. */
  readonly unitPrices: Readonly<Record<string, string>>
}

/** Where the built-in prices of a provider's models come from; null for a model without a known price. */
export type PriceSource = TablePrices | { fixedPrice(model: string): FixedPrice | null }

/** The client's request, parsed once: at least a model and messages, and whatever else the client sent. */
export interface ChatRequest {
  /** The bytes as they came; with passthrough they are sent on, changed only where necessary. */
  readonly raw: Uint8Array
  /** The model name without the gateway's own prefix (`openrouter/`). */
  readonly model: string
  /** The model name as the client sent it; responses carry this one. */
  readonly requestedModel: string
  readonly isStream: boolean
  /** The client requested a usage chunk with stream_options.include_usage. */
  readonly wantsUsage: boolean
  readonly body: Readonly<Record<string, unknown>>
}

/** A request in an API format that the provider supports itself: it is sent with as little change as possible. */
export interface PassthroughRequest extends Omit<ChatRequest, 'wantsUsage'> {
  /** The client's headers that belong to the API format, such as its version. */
  readonly headers?: Readonly<Record<string, string>>
}

/** One upstream call and how to read what comes back. */
export interface ChatExchange {
  /** Appended to the provider's base address. */
  readonly path: string
  readonly query?: Record<string, string>
  readonly headers?: Record<string, string>
  readonly body: string | Uint8Array
  /** Writes the body in steps, where it is large; `body` is empty then. */
  readonly largeBody?: { write(): Promise<Uint8Array> }
  /** Fields that were left out, or that the model got in another form; a response header lists them. */
  readonly dropped: readonly string[]
  /** Those of them that the model cannot take, as the refusals that UNSUPPORTED_PARAMS=refuse asks for. */
  readonly adapted?: readonly FieldFault[]
  /** The response, where the provider does not have to be asked. */
  readonly local?: ChatResponse
  /** Reads a whole response. Throws a provider Fault when it cannot be understood. */
  response(body: Uint8Array): ChatResponse
  /** A new reader for a streamed response. */
  stream(): StreamReader
}

export interface ChatResponse {
  /** The chat-completion JSON for the client; with passthrough the upstream's own bytes. */
  readonly body: string | Uint8Array
  readonly usage: Usage | null
  /** The ID under which the provider keeps the response. */
  readonly storedId?: string | undefined
}

/** Turns the upstream's stream into ours, piece by piece, whatever the boundaries of the pieces. */
export interface StreamReader {
  /**
   * Bytes for the client, possibly none. Throws a Fault when the upstream reports an error inside the stream; when
   * the same piece held something before the error, that is returned and the next call, of either kind, throws.
   */
  push(piece: Uint8Array): string | Uint8Array
  /** The upstream has ended: the last bytes, `data: [DONE]` included. Throws a Fault when it ended too early. */
  end(): string | Uint8Array
  /** Usage as the provider has reported it so far. */
  readonly usage: Usage | null
  /** The ID under which the provider keeps the response, once it is known. */
  readonly storedId?: string | undefined
  /** The number that the next event would have, where events are numbered. */
  readonly nextNumber?: number
  /** The text delivered so far, to count tokens when the provider does not report them. */
  readonly delivered: string
}

/** Token counts in one shape for every provider; the parts of the input do not overlap. */
export interface Usage {
  /** Input tokens neither read from nor written to a cache. */
  uncached: number
  cacheRead: number
  /** Written to a cache with the short lifetime (Anthropic: 5 minutes). */
  cacheWrite: number
  /** Written to a cache with the long lifetime (Anthropic: 1 hour). */
  cacheWriteLong: number
  /** All output tokens, reasoning included. */
  output: number
  /** The part of output that was reasoning. */
  reasoning: number
  audioInput: number
  audioOutput: number
  /** Cost in US dollars as the provider states it, as a string so that no digit is lost; null when it does not. */
  statedCost: string | null
  /** Other billed units the provider reports, such as web searches. */
  units: Readonly<Record<string, number>>
}

export interface ErrorResponse {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: string
}

export interface ModelListing {
  readonly path: string
  readonly query?: Record<string, string>
  /** Models in the response, and the query for the next page when there is one. */
  read(body: unknown): { models: ModelInfo[]; next?: Record<string, string> }
}

export interface ModelInfo {
  /** The name a client uses against the gateway, prefix included. */
  id: string
  created: number | null
  ownedBy: string
  name: string | null
  contextLength: number | null
  maxOutput: number | null
  /** US dollars for a million tokens, as decimal text. */
  inputPrice: string | null
  outputPrice: string | null
  cacheReadPrice: string | null
  cacheWritePrice: string | null
  /** US dollars for a request. */
  requestPrice: string | null
  otherPrices?: OtherPrices | null
  capabilities: readonly string[]
}

/** What only some lists state. Prices as above; those of units for one each. */
export interface OtherPrices {
  cacheWriteLongPrice?: string
  unitPrices?: Readonly<Record<string, string>>
  tiers?: readonly ListedTier[]
}

/** Prices of a request whose prompt is longer; what is left out stays as it is. */
export interface ListedTier {
  aboveTokens: number
  inputPrice?: string
  outputPrice?: string
  cacheReadPrice?: string
  cacheWritePrice?: string
  cacheWriteLongPrice?: string
}
