import OpenAI from 'openai'
import { after } from 'node:test'
import type { BuiltInId } from '#gateway/contract'
import { startFakeProvider } from '../fake-provider/index.ts'
import { startProduct, type Product } from './product.ts'

export type FakeProvider = Awaited<ReturnType<typeof startFakeProvider>>

export const exampleModels = {
  anthropic: 'claude-sonnet-5-5',
  openai: 'gpt-6-sol',
  gemini: 'gemini-3.8-flash',
  perplexity: 'sonar-pro',
  openrouter: 'openrouter/anthropic/claude-opus-5.5',
} as const satisfies Record<BuiltInId, string>

export type ProviderId = BuiltInId

export interface GatewayProduct extends Product {
  fake: FakeProvider
  /** The real client, pointed at the gateway, without retries of its own. */
  openai: OpenAI
  /** The settled requests so far, oldest first. */
  settled(): SettledRequest[]
}

export interface SettledRequest {
  requestId: string
  provider: string | null
  providerKeyId: string | null
  model: string
  statusCode: number
  errorMessage: string | null
  isStream: boolean
  ttftMs: number | null
  usage: Record<string, number> | null
}

/** The whole product with a key for each of the five providers, which are played by one fake server. */
export async function startGateway(environment: Record<string, string> = {}): Promise<GatewayProduct> {
  const fake = await startFakeProvider()
  after(() => fake.close())
  const product = await startProduct({ ...fake.baseUrls, ...environment })
  for (const provider of Object.keys(exampleModels)) {
    const { status, text } = await product.call(`/providers/${provider}`, {
      key: product.key,
      json: { api_key: keyOf(provider), name: `${provider} key` },
      headers: { accept: 'application/json' },
    })
    if (status !== 201) throw new Error(`the key of ${provider} was not taken: ${status} ${text}`)
  }
  return {
    ...product,
    fake,
    openai: new OpenAI({ apiKey: product.key, baseURL: `${product.url}/v1`, maxRetries: 0 }),
    settled: readSettled(product.logged),
  }
}

export const keyOf = (provider: string): string => `sk-planted-${provider}-0123456789`

/** Reads only what has been logged since the last call: tests ask again and again. */
function readSettled(logged: () => string): () => SettledRequest[] {
  const found: SettledRequest[] = []
  let read = 0
  return () => {
    const text = logged()
    const end = text.lastIndexOf('\n') + 1
    for (const line of text.slice(read, end).split('\n'))
      if (line.includes('"event":"request.settled"')) found.push(JSON.parse(line) as SettledRequest)
    read = end
    return [...found]
  }
}
