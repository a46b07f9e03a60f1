import type { ApiError } from '../../api/client.ts'
import type { Source } from './sources.ts'

export interface Usage {
  input: number
  cached: number
  output: number
  reasoning: number
}

export interface ToolCall {
  name: string
  arguments: string
}

/** What has arrived of a response so far. */
export interface Draft {
  text: string
  reasoning: string
  toolCalls: ToolCall[]
  sources: Source[]
  usage: Usage | null
  finishReason: string | null
}

export interface UserTurn {
  role: 'user'
  id: number
  text: string
}

export interface AssistantTurn extends Draft {
  role: 'assistant'
  id: number
  model: string
  state: 'streaming' | 'done' | 'stopped' | 'failed'
  error: ApiError | null
  requestId: string | null
  firstTokenMs: number | null
  totalMs: number | null
}

export type Turn = UserTurn | AssistantTurn
