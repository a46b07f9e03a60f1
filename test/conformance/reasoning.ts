import assert from 'node:assert/strict'
import { unseal } from '../fake-provider/identifiers.ts'
import type { ClientResponse } from './client.ts'
import type { Cell, Exception, Feature } from './feature.ts'
import { callTheTool, weather } from './tools.ts'

const thought = /Thinking about it/

/** A tool is offered in both: OpenAI shows reasoning only on the wire that such requests take. */
export const reasoning: readonly Feature[] = [
  {
    name: 'reasoning',
    about:
      'The text of the reasoning, non-streaming and streaming (Perplexity: streaming only; OpenAI: tested with a tool offered)',
    exceptions: [
      {
        provider: 'openrouter',
        client: 'langchain',
        verdict: 'client drops it',
        reason:
          'LangChain reads `reasoning_content` only, OpenRouter sends `reasoning`; the rest of the response is complete',
        async check(cell) {
          for (const response of await responsesTo(cell)) assert.equal(response.reasoning, '')
        },
      },
    ],
    async check(cell) {
      for (const response of await responsesTo(cell)) assert.match(response.reasoning, thought)
    },
  },
  {
    name: 'reasoning round trip',
    about:
      'The sealed reasoning before a tool call is returned to the provider, non-streaming and streaming. The AI SDK needs a `metadataExtractor` for it, as used here; its own tool loop keeps only the signatures of Gemini',
    exceptions: [
      goesOnWithout('not offered', 'Perplexity returns no sealed reasoning', { provider: 'perplexity' }),
      goesOnWithout('client drops it', 'LangChain keeps neither `reasoning_details` nor `extra_content`', {
        client: 'langchain',
      }),
    ],
    async check(cell) {
      for (const send of [cell.client.whole, cell.client.stream]) {
        assert.ok((await sealsSentBack(cell, send)) > 0, 'the provider got its sealed reasoning back')
        if (cell.provider === 'anthropic') await acceptStrictly(cell)
      }
    },
  },
]

/** Perplexity sends its reasoning in streams only. */
async function responsesTo({ client, model, provider }: Cell): Promise<ClientResponse[]> {
  const ask = { model, prompt: 'Which city?', tools: [weather], reasons: true }
  const streamed = await client.stream(ask)
  assert.match(streamed.text, /Which city\?/)
  return provider === 'perplexity' ? [streamed] : [streamed, await client.whole(ask)]
}

export function goesOnWithout(
  verdict: Exception['verdict'],
  reason: string,
  where: Pick<Exception, 'provider' | 'client'>,
): Exception {
  return {
    ...where,
    verdict,
    reason: `${reason}; the conversation continues without it`,
    async check(cell) {
      for (const send of [cell.client.whole, cell.client.stream])
        assert.equal(await sealsSentBack(cell, send), 0)
    },
  }
}

/** Has a tool called while the model reasons, sends the result, and counts what of the provider's seals came back. */
async function sealsSentBack(cell: Cell, send: Cell['client']['whole']): Promise<number> {
  const first = await send({ model: cell.model, prompt: callTheTool, tools: [weather], reasons: true })
  assert.equal(first.calls.length, 1)
  const { text } = await first.resume(() => 'rain at noon')
  assert.match(text, /The tool answered: rain at noon/)
  return stringsIn(cell.fake.requests.at(-1)?.json).filter((each) => unseal(each) !== undefined).length
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/** The same request without leave to drop what does not fit: a wrong signature would now be refused. */
async function acceptStrictly({ fake }: Cell): Promise<void> {
  const request = fake.requests.at(-1)
  const body = request?.json as { thinking: Record<string, unknown> }
  const { block_binding: _leave, ...thinking } = body.thinking
  const response = await fetch(`${fake.baseUrls.ANTHROPIC_BASE_URL}${request?.path}`, {
    method: 'POST',
    headers: {
      'x-api-key': String(request?.headers['x-api-key']),
      'anthropic-version': String(request?.headers['anthropic-version']),
    },
    body: JSON.stringify({ ...body, thinking }),
  })
  assert.equal(response.status, 200, await response.text())
}
