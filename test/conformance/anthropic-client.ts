import assert from 'node:assert/strict'
import Anthropic, {
  APIError,
  BadRequestError,
  InternalServerError,
  RateLimitError,
  type ClientOptions,
} from '@anthropic-ai/sdk'
import type {
  ContentBlockParam,
  JSONOutputFormat,
  Message,
  MessageCreateParamsNonStreaming,
  MessageParam,
} from '@anthropic-ai/sdk/resources/messages'
import type { Ask, Call, Client, Endpoint, Failure, Tokens, ClientResponse } from './client.ts'

/** The `@anthropic-ai/sdk` package, which uses the Messages API. It adds `/v1` to its address itself. */
export function anthropicClient({ baseURL, apiKey }: Endpoint): Client {
  const options: ClientOptions = { apiKey, baseURL: baseURL.replace(/\/v1$/, ''), maxRetries: 0 }
  const anthropic = new Anthropic(options)

  async function whole(ask: Ask, messages: MessageParam[]): Promise<ClientResponse> {
    const message = await anthropic.messages.create(settings(ask, messages), { signal: ask.signal })
    return toResponse(ask, message, 1, (turn) => whole(ask, [...messages, ...turn]))
  }

  async function stream(ask: Ask, messages: MessageParam[], onPiece?: () => void): Promise<ClientResponse> {
    let pieces = 0
    const events = anthropic.messages.stream(settings(ask, messages), { signal: ask.signal })
    events.on('text', () => {
      pieces++
      onPiece?.()
    })
    const message = await events.finalMessage()
    return toResponse(ask, message, pieces, (turn) => stream(ask, [...messages, ...turn]))
  }

  return {
    name: 'anthropic',
    whole: (ask) => whole(ask, [question(ask)]),
    stream: (ask, onPiece) => stream(ask, [question(ask)], onPiece),
    failure,
  }
}

function settings(ask: Ask, messages: MessageParam[]): MessageCreateParamsNonStreaming {
  const format = ask.json && formatOf(ask.json)
  return {
    model: ask.model,
    max_tokens: 4096,
    messages,
    ...(ask.searches && { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }),
    ...(ask.tools && {
      tools: ask.tools.map(({ name, description, parameters }) => ({
        name,
        description,
        input_schema: { ...parameters, type: 'object' as const },
      })),
    }),
    ...(ask.mustCall && { tool_choice: { type: 'any' } }),
    ...(ask.stop && { stop_sequences: ask.stop }),
    ...(ask.reasons && { thinking: { type: 'adaptive', display: 'summarized' } }),
    ...((ask.reasons || format) && {
      output_config: { ...(ask.reasons && { effort: 'high' }), ...(format && { format }) },
    }),
  }
}

/** The Messages API supports schemas only; `json: 'object'` is sent as a client would that does not know this. */
function formatOf(json: Ask['json'] & {}): JSONOutputFormat {
  if (json === 'object') return { type: 'json_object' } as unknown as JSONOutputFormat
  return { type: 'json_schema', schema: json }
}

function question({ prompt, image, document }: Ask): MessageParam {
  const content: ContentBlockParam[] = [{ type: 'text', text: prompt }]
  if (image !== undefined) {
    content.push({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: image.replace(/^.*,/, '') },
    })
  }
  if (document !== undefined) {
    const data = document.replace(/^.*,/, '')
    content.push({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } })
  }
  return { role: 'user', content }
}

function toResponse(
  ask: Ask,
  message: Message,
  pieces: number,
  goOn: (turn: MessageParam[]) => Promise<ClientResponse>,
): ClientResponse {
  const { content } = message
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('')
  const calls = content.flatMap((block) =>
    block.type === 'tool_use' ? [{ id: block.id, name: block.name, arguments: block.input }] : [],
  )
  return {
    text,
    pieces,
    finish: finishes[message.stop_reason ?? ''] ?? String(message.stop_reason),
    usage: tokens(message.usage),
    calls,
    reasoning: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
    json: ask.json && pieces === 1 ? (JSON.parse(text) as unknown) : undefined,
    resume: (resultOf) => goOn([{ role: 'assistant', content }, results(calls, resultOf)]),
  }
}

/** In the words of the board. */
const finishes: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool_calls',
}

function results(calls: Call[], resultOf: (call: Call) => string): MessageParam {
  return {
    role: 'user',
    content: calls.map((call) => ({ type: 'tool_result', tool_use_id: call.id, content: resultOf(call) })),
  }
}

function tokens(usage: Message['usage']): Tokens {
  const { input_tokens: fresh, cache_read_input_tokens: read, cache_creation_input_tokens: written } = usage
  const input = fresh + (read ?? 0) + (written ?? 0)
  return { input, output: usage.output_tokens, total: input + usage.output_tokens }
}

const classes: Readonly<Record<number, new (...given: never[]) => APIError>> = {
  400: BadRequestError,
  429: RateLimitError,
  504: InternalServerError,
}

function failure(error: unknown): Failure {
  if (!(error instanceof APIError)) throw error
  const status = Number(error.status)
  assert.ok(error instanceof (classes[status] ?? APIError), `${error.constructor.name} for ${status}`)
  const { error: said } = error.error as { error: { message: string } }
  const retryAfter = (error.headers as Headers | undefined)?.get('retry-after') ?? null
  return { status, message: said.message, param: fieldIn(said.message), retryAfter }
}

/** Errors of the Messages API have no `param`: the message names the field, at its start or in quotes. */
function fieldIn(message: string): string | null {
  return /^([a-z_.0-9]+)\b/.exec(message)?.[1] ?? /'([a-z_.0-9]+)'/.exec(message)?.[1] ?? null
}
