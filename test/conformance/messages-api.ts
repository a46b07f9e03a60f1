import assert from 'node:assert/strict'
import { responseFeatures } from './responses.ts'
import { anthropicClient } from './anthropic-client.ts'
import { providers } from './board.ts'
import { failures } from './failures.ts'
import { named, refused, withExceptions, type Feature } from './feature.ts'
import type { ClientApi } from './client-api.ts'
import { goesOnWithout, reasoning } from './reasoning.ts'
import { toolUse } from './tools.ts'

const pdf = Buffer.from('%PDF-1.4 nothing to see').toString('base64')

const documents: Feature = {
  name: 'documents',
  about: 'A PDF in the request',
  exceptions: [refused('perplexity', 'messages.0', 'Perplexity does not support files')],
  async check({ client, model }) {
    const document = `data:application/pdf;base64,${pdf}`
    const { text } = await client.whole({ model, prompt: 'Hello from the board', document })
    assert.match(text, /I read 1 document\(s\)\./)
  },
}

/** The search goes to Anthropic as it is. */
const search: Feature = {
  name: 'web search',
  about: "Anthropic's hosted web search is offered to the model",
  exceptions: providers
    .filter((provider) => provider !== 'anthropic')
    .map((provider) =>
      refused(provider, 'tools.0.type', "Only Anthropic's own models have Anthropic's search"),
    ),
  async check({ client, model, fake }) {
    const { text } = await client.whole({ model, prompt: 'What is new?', searches: true })
    assert.match(text, /What is new\?/)
    assert.match(JSON.stringify(fake.requests.at(-1)?.json), /"tools":\[\{"type":"web_search_20250305"/)
  },
}

const noStop = refused('perplexity', 'stop_sequences', 'The Agent API does not support stop sequences')

export const messagesApi: ClientApi = {
  title: 'Messages',
  path: '/v1/messages',
  packages: { anthropic: ['@anthropic-ai/sdk'] },
  clients: (endpoint) => [anthropicClient(endpoint)],
  features: [
    ...['text', 'stream', 'usage', 'images'].map((name) => named(responseFeatures, name)),
    documents,
    named(responseFeatures, 'json schema'),
    {
      ...withExceptions(
        named(responseFeatures, 'json object'),
        providers.map((each) =>
          refused(each, 'output_config.format.type', 'The Messages API supports schemas only'),
        ),
      ),
      about: 'A response that is any JSON object',
    },
    withExceptions(named(responseFeatures, 'stop'), [noStop]),
    withExceptions(named(responseFeatures, 'stop while reasoning'), [
      refused('openai', 'stop', 'Reasoning models do not support stop sequences'),
      noStop,
    ]),
    ...toolUse,
    search,
    withExceptions(named(reasoning, 'reasoning'), []),
    {
      ...withExceptions(named(reasoning, 'reasoning round trip'), [
        goesOnWithout('not offered', 'Perplexity returns no sealed reasoning', { provider: 'perplexity' }),
      ]),
      about:
        'The sealed reasoning before a tool call is returned to the provider, non-streaming and streaming, in the thinking blocks that the client sends back unchanged',
    },
    ...failures,
  ],
}
