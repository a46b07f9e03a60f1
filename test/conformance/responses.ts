import assert from 'node:assert/strict'
import type { Feature } from './feature.ts'
import { refused } from './feature.ts'

const prompt = 'Hello from the board'
const echo = /Echo: Hello from the board/
/** One pixel. */
const image =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const place = {
  type: 'object',
  properties: { city: { type: 'string' }, inhabitants: { type: 'integer' } },
  required: ['city', 'inhabitants'],
  additionalProperties: false,
}
const stopped = { prompt: 'Said before HALT said after', stop: ['HALT'] }

export const responseFeatures: readonly Feature[] = [
  {
    name: 'text',
    about: 'A non-streaming response and its finish reason',
    async check({ client, model }) {
      const { text, finish } = await client.whole({ model, prompt })
      assert.match(text, echo)
      assert.equal(finish, 'stop')
    },
  },
  {
    name: 'stream',
    about: 'A streaming response, complete to its end',
    async check({ client, model }) {
      const { text, pieces, finish } = await client.stream({ model, prompt })
      assert.match(text, echo)
      assert.ok(pieces > 1, `${pieces} pieces`)
      assert.equal(finish, 'stop')
    },
  },
  {
    name: 'usage',
    about: 'Token counts of a non-streaming response, and the same at the end of a stream',
    async check({ client, model }) {
      const { usage } = await client.whole({ model, prompt })
      assert.ok(usage.input > 0 && usage.output > 0)
      assert.equal(usage.total, usage.input + usage.output)
      assert.deepEqual((await client.stream({ model, prompt })).usage, usage)
    },
  },
  {
    name: 'images',
    about: 'An image as a data URL',
    async check({ client, model }) {
      assert.match((await client.whole({ model, prompt, image })).text, /I see 1 image\(s\)\./)
    },
  },
  {
    name: 'json schema',
    about: 'A response that satisfies a schema, parsed by the client',
    async check({ client, model }) {
      const { json } = await client.whole({ model, prompt, json: place })
      assert.deepEqual(json, { city: 'city', inhabitants: 1 })
    },
  },
  {
    name: 'json object',
    about:
      'A response that is any JSON object, parsed by the client (Anthropic has no such mode, so the prompt asks for it)',
    exceptions: [refused('perplexity', 'response_format.type', 'Perplexity needs a schema')],
    async check({ client, model, provider, fake }) {
      const asked = 'Name a city, as JSON'
      // Anthropic has no such mode: the gateway asks for it in words, which only a real model would heed.
      if (provider === 'anthropic') fake.script(provider, { text: JSON.stringify({ echo: asked }) })
      const { json } = await client.whole({ model, prompt: asked, json: 'object' })
      assert.deepEqual(json, { echo: asked })
      if (provider !== 'anthropic') return
      assert.match(JSON.stringify(fake.requests.at(-1)?.json), /Answer with one JSON object/)
    },
  },
  {
    name: 'stop',
    about: 'The response ends before a stop sequence',
    models: { openai: 'gpt-4.1' },
    exceptions: [refused('perplexity', 'stop', 'The Agent API does not support stop sequences')],
    async check({ client, model }) {
      const { text, finish } = await client.whole({ model, ...stopped })
      assert.deepEqual([text, finish], ['Echo: Said before ', 'stop'])
    },
  },
  {
    name: 'stop while reasoning',
    about: 'The same with a reasoning model',
    exceptions: [
      refused('openai', 'stop', 'Reasoning models do not support stop sequences'),
      refused('perplexity', 'stop', 'The Agent API does not support stop sequences'),
    ],
    async check({ client, model }) {
      const { text } = await client.whole({ model, ...stopped, reasons: true })
      assert.equal(text, 'Echo: Said before ')
    },
  },
]
