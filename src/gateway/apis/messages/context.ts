import type { ToolNames } from '../../chat/tool-names.ts'
import type { CachePlace } from '../../provider.ts'
import type { JsonObject } from '../../wire/json.ts'

/** Where a request's `cache_control` may go in the chat request, and which fields were left out. */
export interface CacheContext {
  readonly cachePlaces: readonly CachePlace[]
  readonly dropped: Set<string>
}

/** What the translation of a request's messages needs to know. */
export interface RequestContext extends CacheContext {
  /** The provider of the model: only its own sealed reasoning goes back to it. */
  readonly providerId: string
  readonly names: ToolNames
}

/** What writing a response in this API's format needs to know. */
export interface ResponseContext {
  readonly providerId: string
  readonly providerName: string
  /** The name the client used. */
  readonly model: string
  readonly names: ToolNames
  readonly hidesThinking: boolean
  /** How many tokens the prompt may have, before the provider says it. */
  estimateInput(): number
  readonly stops: readonly string[]
}

export type ChatMessage = Record<string, unknown>

export interface TextPart {
  type: 'text'
  text: string
  cache_control?: JsonObject
}

export type ChatPart = TextPart | { type: 'image_url' | 'file'; [field: string]: unknown }
