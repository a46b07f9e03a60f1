import assert from 'node:assert/strict'
import { responseFeatures } from './responses.ts'
import { failures } from './failures.ts'
import { named, refused, withExceptions, type Exception, type Feature } from './feature.ts'
import type { ClientApi } from './client-api.ts'
import { langchainClient } from './langchain-client.ts'
import { openaiResponsesClient } from './openai-responses-client.ts'
import { goesOnWithout, reasoning } from './reasoning.ts'
import { toolUse, weather } from './tools.ts'
import { vercelResponsesClient } from './vercel-client.ts'

const elsewhere = ['anthropic', 'gemini', 'perplexity', 'openrouter'] as const

/** The search goes to OpenAI as it is; the Responses API has no stop texts. */
const search: Feature = {
  name: 'web search',
  about: "OpenAI's hosted web search is offered to the model",
  exceptions: elsewhere.map((provider) =>
    refused(provider, 'tools[0].type', "Only OpenAI's own models have OpenAI's search"),
  ),
  async check({ client, model, fake }) {
    const { text } = await client.whole({ model, prompt: 'What is new?', searches: true })
    assert.match(text, /What is new\?/)
    assert.match(JSON.stringify(fake.requests.at(-1)?.json), /"tools":\[\{"type":"web_search"/)
  },
}

const choice = named(toolUse, 'tool choice')
const dropsChoice: Exception = {
  client: 'langchain',
  verdict: 'client drops it',
  reason: 'LangChain does not send `required` in Responses requests; the model may respond without a call',
  async check({ client, model }) {
    const asked = { model, prompt: 'Hello', tools: [weather], mustCall: true }
    const { text, calls } = await client.whole(asked)
    assert.match(text, /^Echo: Hello/)
    assert.deepEqual(calls, [])
  },
}

export const responsesApi: ClientApi = {
  title: 'Responses',
  path: '/v1/responses',
  packages: {
    openai: ['openai'],
    ai: ['ai', '@ai-sdk/openai'],
    langchain: ['@langchain/openai', '@langchain/core'],
  },
  clients: (endpoint) => [
    openaiResponsesClient(endpoint),
    vercelResponsesClient(endpoint),
    langchainClient(endpoint, 'responses'),
  ],
  features: [
    ...['text', 'stream', 'usage', 'images', 'json schema'].map((name) => named(responseFeatures, name)),
    withExceptions(named(responseFeatures, 'json object'), [
      refused('perplexity', 'text.format.type', 'Perplexity needs a schema'),
    ]),
    ...['tools', 'parallel tools'].map((name) => named(toolUse, name)),
    withExceptions(choice, [dropsChoice, ...(choice.exceptions ?? [])]),
    named(toolUse, 'tool round trip'),
    search,
    withExceptions(named(reasoning, 'reasoning'), []),
    {
      ...withExceptions(named(reasoning, 'reasoning round trip'), [
        goesOnWithout('not offered', 'Perplexity returns no sealed reasoning', { provider: 'perplexity' }),
      ]),
      about:
        'The sealed reasoning before a tool call is returned to the provider, non-streaming and streaming, by the default behavior of each client when nothing is stored',
    },
    ...failures,
  ],
}
