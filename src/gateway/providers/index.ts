import type { Config } from '#kernel/config'
import type { Secret } from '#kernel/log'
import { anthropic } from './anthropic/index.ts'
import { gemini } from './gemini/index.ts'
import { openai } from './openai/index.ts'
import { openrouter } from './openrouter/index.ts'
import { ownPrice, ownProvider } from './own-models.ts'
import { perplexity, perplexitySonar } from './perplexity/index.ts'
import type { BuiltInProvider, PriceSource } from '../provider.ts'

export { openAiCompatible } from './compatible.ts'
export { ownProvider } from './own-models.ts'
export type { ChatExchange, ModelInfo, Provider, StreamReader, Usage } from '../provider.ts'

/** A provider that ships with the product, and where it is. */
export interface BuiltIn {
  provider: BuiltInProvider
  baseUrl: string
  /** A key given in the environment, taken into the key store at first start. */
  environmentKey: Secret | undefined
}

/** The only list that names providers. */
export function builtInProviders(config: Config): BuiltIn[] {
  return [
    { provider: anthropic, baseUrl: config.ANTHROPIC_BASE_URL, environmentKey: config.ANTHROPIC_API_KEY },
    { provider: openai, baseUrl: config.OPENAI_BASE_URL, environmentKey: config.OPENAI_API_KEY },
    { provider: gemini, baseUrl: config.GEMINI_BASE_URL, environmentKey: config.GEMINI_API_KEY },
    {
      provider: config.PERPLEXITY_API === 'sonar' ? perplexitySonar : perplexity,
      baseUrl: config.PERPLEXITY_BASE_URL,
      environmentKey: config.PERPLEXITY_API_KEY,
    },
    { provider: openrouter, baseUrl: config.OPENROUTER_BASE_URL, environmentKey: config.OPENROUTER_API_KEY },
  ]
}

/** By the GenAI conventions of OpenTelemetry, where that is not the id. */
const conventionalNames = new Map<string, string>([[gemini.id, 'gcp.gemini']])

export const conventionalName = (id: string): string => conventionalNames.get(id) ?? id

/** Where built-in prices come from, by the id of the provider. */
export function builtInPrices(config: Config): ReadonlyMap<string, PriceSource> {
  return new Map<string, PriceSource>([
    ...builtInProviders(config).flatMap(({ provider }) =>
      provider.prices ? [[provider.id, provider.prices] as const] : [],
    ),
    [ownProvider, { fixedPrice: () => ownPrice }],
  ])
}
