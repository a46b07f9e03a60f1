import { anthropic } from './anthropic/index.ts'
import { gemini } from './gemini/index.ts'
import { openai } from './openai/index.ts'
import { openrouter } from './openrouter/index.ts'
import { perplexity } from './perplexity/index.ts'
import type { ProviderName } from './names.ts'
import type { ProviderApi } from './provider-api.ts'

export const providerApis = { anthropic, openai, gemini, perplexity, openrouter } satisfies Record<
  ProviderName,
  ProviderApi
>

/** Where each provider lives on the one port, with the part that its base address already has. */
export const prefixes = {
  anthropic: '/anthropic',
  openai: '/openai/v1',
  gemini: '/gemini',
  perplexity: '/perplexity',
  openrouter: '/openrouter/api/v1',
} satisfies Record<ProviderName, string>
