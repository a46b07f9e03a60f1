import { openAiCompatible } from '../../providers/index.ts'
import type { ChatExchange, Provider } from '../../providers/index.ts'
import { readBody } from '../../request/body.ts'
import { responses } from './index.ts'

/** For tests: a provider of Chat Completions, which shows the chat request as it was made. */
export const chatServer = openAiCompatible({ id: 'acme', name: 'Acme', prefixes: ['acme-'] })

export function exchangeOf(body: object, provider: Provider = chatServer): ChatExchange {
  const raw = Buffer.from(JSON.stringify({ model: 'acme-1', input: 'Hello', ...body }))
  return responses.exchange(provider, responses.read(readBody(raw), {}))
}

/** The chat request that is sent. */
export function chatFor(body: object): Record<string, unknown> {
  return JSON.parse(Buffer.from(exchangeOf(body).body).toString()) as Record<string, unknown>
}

interface ResponseBody {
  status: string
  output: Record<string, unknown>[]
  [field: string]: unknown
}

/** The response to a request whose chat completion has this message. */
export function responseTo(body: object, message: object, more: object = {}): ResponseBody {
  const choice = { index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop', ...more }
  const completion = {
    id: 'chatcmpl-1',
    choices: [choice],
    usage: { prompt_tokens: 7, completion_tokens: 5 },
  }
  const { body: bytes } = exchangeOf(body).response(Buffer.from(JSON.stringify(completion)))
  return JSON.parse(Buffer.from(bytes).toString()) as ResponseBody
}

/** Chunks as a server of chat completions sends them, one for each delta, to the end. */
export function chunks(deltas: readonly object[], finish = 'stop'): Buffer {
  const lines = [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: finish }] },
    { choices: [], usage: { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 } },
  ]
  return Buffer.from(`${lines.map((line) => `data: ${JSON.stringify(line)}\n\n`).join('')}data: [DONE]\n\n`)
}
