/** One question in words common to all clients. */
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
  /** Offers the web search that the maker of the form runs itself; chat completions cannot ask for it. */
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

/** What the client made of the answer. */
export interface Told {
  text: string
  /** How many pieces of text came; one for an answer in a whole. */
  pieces: number
  finish: string
  usage: Tokens
  calls: Call[]
  reasoning: string
  /** The parsed object, where JSON was asked for. */
  json: unknown
  /** The next turn: the same conversation, this answer as the client keeps it, and a result for each call. */
  resume(resultOf: (call: Call) => string): Promise<Told>
}

/** What a program using the client can learn from a failed call. */
export interface Failure {
  status: number
  message: string
  param: string | null
  retryAfter: string | null
}

/** A real client library, used as its own documentation shows. */
export interface Client {
  readonly name: string
  whole(ask: Ask): Promise<Told>
  stream(ask: Ask, onPiece?: () => void): Promise<Told>
  /** Reads the client's own error; anything that is none is thrown on. */
  failure(error: unknown): Failure
}

export interface Endpoint {
  baseURL: string
  apiKey: string
}
