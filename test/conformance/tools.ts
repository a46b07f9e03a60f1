import assert from 'node:assert/strict'
import type { OfferedTool } from './client.ts'
import type { Feature } from './feature.ts'
import { refused } from './feature.ts'

const parameters = {
  type: 'object',
  properties: { city: { type: 'string', description: 'Where' } },
  required: ['city'],
  additionalProperties: false,
}
export const weather: OfferedTool = { name: 'weather', description: 'The weather in a city', parameters }
const clock: OfferedTool = { name: 'clock', description: 'The time in a city', parameters }

export const callTheTool = 'Call the tool weather'
const parallel = {
  prompt: 'Call the tools: call the tool weather and the clock in parallel',
  tools: [weather, clock],
}
const city = { city: 'city' }

export const toolUse: readonly Feature[] = [
  {
    name: 'tools',
    about: 'A tool call with its arguments, non-streaming and streaming',
    async check({ client, model }) {
      for (const send of [client.whole, client.stream]) {
        const { calls, finish } = await send({ model, prompt: callTheTool, tools: [weather] })
        assert.deepEqual(calls, [{ id: calls[0]?.id, name: 'weather', arguments: city }])
        assert.ok(calls[0]?.id)
        assert.equal(finish.replace('_', '-'), 'tool-calls')
      }
    },
  },
  {
    name: 'parallel tools',
    about: 'Two calls in one response, non-streaming and streaming',
    async check({ client, model }) {
      for (const send of [client.whole, client.stream]) {
        const { calls } = await send({ model, ...parallel })
        const made = calls.map((call) => [call.name, call.arguments])
        assert.deepEqual(made, [
          ['weather', city],
          ['clock', city],
        ])
        assert.equal(new Set(calls.map((call) => call.id)).size, 2, 'an id for each')
      }
    },
  },
  {
    name: 'tool choice',
    about: 'A call that `tool_choice` requires, not the prompt',
    models: { anthropic: 'claude-haiku-5-5' },
    exceptions: [refused('perplexity', 'tool_choice', 'Perplexity cannot require a tool call')],
    async check({ client, model }) {
      const { calls } = await client.whole({ model, prompt: 'Hello', tools: [weather], mustCall: true })
      assert.deepEqual(
        calls.map((call) => call.name),
        ['weather'],
      )
    },
  },
  {
    name: 'tool round trip',
    about: 'The results of two calls are sent back, and the final response quotes both',
    async check({ client, model }) {
      for (const send of [client.whole, client.stream]) {
        const first = await send({ model, ...parallel })
        const { text, calls } = await first.resume((call) => `${call.name} says 21`)
        assert.match(text, /The tool answered: weather says 21 \| clock says 21/)
        assert.deepEqual(calls, [])
      }
    },
  },
]
