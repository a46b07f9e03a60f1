import type { Settings } from './settings.ts'
import type { Turn } from './types.ts'

export interface Message {
  role: 'system' | 'user' | 'assistant'
  content: string
}

export interface ChatBody {
  model: string
  messages: Message[]
  temperature?: number
  max_tokens?: number
  max_completion_tokens?: number
  reasoning_effort?: string
}

/** The conversation as messages, without empty responses. */
export function messagesOf(system: string, turns: readonly Turn[]): Message[] {
  const messages = turns
    .filter((turn) => turn.text.trim() !== '')
    .map(({ role, text }) => ({ role, content: text }))
  return system.trim() === '' ? messages : [{ role: 'system', content: system.trim() }, ...messages]
}

export function bodyOf(model: string, settings: Settings, turns: readonly Turn[]): ChatBody {
  const { temperature, maxTokens, effort } = settings
  const limit = Number(maxTokens)
  return {
    model,
    messages: messagesOf(settings.system, turns),
    ...(temperature.trim() === '' ? {} : { temperature: Number(temperature) }),
    ...(maxTokens.trim() === '' ? {} : { [limitField(model)]: limit }),
    ...(effort === '' ? {} : { reasoning_effort: effort }),
  }
}

/** Newer OpenAI models reject `max_tokens`; other servers may accept nothing else. */
const limitField = (model: string) =>
  /^(gpt-|o\d|chatgpt-)/.test(model) ? 'max_completion_tokens' : 'max_tokens'
