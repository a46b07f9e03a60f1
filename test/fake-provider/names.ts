export const providerNames = ['anthropic', 'openai', 'gemini', 'perplexity', 'openrouter'] as const
export type ProviderName = (typeof providerNames)[number]

export type EndpointName =
  | 'messages'
  | 'count_tokens'
  | 'chat'
  | 'responses'
  | 'compact'
  | 'generate'
  | 'agent'
  | 'models'
  | 'key'
  | 'transcriptions'
