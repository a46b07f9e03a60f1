/** One request, independent of the client. */
export interface Ask {
  model: string
  prompt: string
  /** A data URL. */
  image?: string
  /** A data URL of a PDF. */
  document?: string
  tools?: readonly OfferedTool[]
  mustCall?: boolean
  /** Any JSON object, or one that satisfies a schema. */
  json?: 'object' | JsonSchema
  stop?: string[]
  reasons?: boolean
  /** Offers the web search that the provider runs itself; Chat Completions cannot ask for it. */
  searches?: boolean
  signal?: AbortSignal
}

export interface OfferedTool {
  name: string
  description: string
  parameters: JsonSchema
}

export type JsonSchema = Record<string, unknown>

export interface Call {
  id: string
  name: string
  arguments: unknown
}

export interface Tokens {
  input: number
  output: number
  total: number
}

/** The response as the client returns it. */
export interface ClientResponse {
  text: string
  /** How many pieces of text came; one for a response without streaming. */
  pieces: number
  finish: string
  usage: Tokens
  calls: Call[]
  reasoning: string
  /** The parsed object, where JSON was asked for. */
  json: unknown
  /** The next turn: the same conversation, this response as the client keeps it, and a result for each call. */
  resume(resultOf: (call: Call) => string): Promise<ClientResponse>
}

/** What the client's error contains. */
export interface Failure {
  status: number
  message: string
  param: string | null
  retryAfter: string | null
}

/** A real client library, used as its own documentation shows. */
export interface Client {
  readonly name: string
  whole(ask: Ask): Promise<ClientResponse>
  stream(ask: Ask, onPiece?: () => void): Promise<ClientResponse>
  /** Reads the client's own error; any other error is rethrown. */
  failure(error: unknown): Failure
}

export interface Endpoint {
  baseURL: string
  apiKey: string
}
