import assert from 'node:assert/strict'
import OpenAI, { APIError, BadRequestError, InternalServerError, RateLimitError } from 'openai'
import type {
  ChatCompletionCreateParams,
  ChatCompletionMessageParam,
  CompletionUsage,
} from 'openai/resources'
import type { Ask, Call, Client, Endpoint, Failure, Tokens, ClientResponse } from './client.ts'

type Messages = ChatCompletionMessageParam[]

/** What the gateway adds to a message, or to a piece of one, for reasoning. */
interface Reasoned {
  reasoning_content?: string | null
  reasoning?: string | null
  reasoning_details?: unknown[]
}

/** The `openai` package. It does not change messages, so a response goes back with all its fields. */
export function openaiClient(endpoint: Endpoint): Client {
  const openai = new OpenAI({ ...endpoint, maxRetries: 0 })

  async function whole(ask: Ask, messages: Messages): Promise<ClientResponse> {
    const completion = await openai.chat.completions.create(settings(ask, messages), { signal: ask.signal })
    const [choice] = completion.choices
    assert.ok(choice && completion.usage)
    const calls = (choice.message.tool_calls ?? []).map((call) => {
      assert.equal(call.type, 'function')
      return {
        id: call.id,
        name: call.function.name,
        arguments: JSON.parse(call.function.arguments) as unknown,
      }
    })
    const text = choice.message.content ?? ''
    return {
      text,
      pieces: 1,
      finish: choice.finish_reason,
      usage: tokens(completion.usage),
      calls,
      reasoning: reasoningIn(choice.message),
      json: ask.json && JSON.parse(text),
      resume: (resultOf) => whole(ask, [...messages, choice.message, ...results(calls, resultOf)]),
    }
  }

  async function stream(ask: Ask, messages: Messages, onPiece?: () => void): Promise<ClientResponse> {
    const chunks = await openai.chat.completions.create(
      { ...settings(ask, messages), stream: true, stream_options: { include_usage: true } },
      { signal: ask.signal },
    )
    const open: { id: string; name: string; arguments: string }[] = []
    const details: unknown[] = []
    let [text, reasoning, finish, pieces] = ['', '', '', 0]
    let usage: CompletionUsage | null | undefined
    for await (const chunk of chunks) {
      usage = chunk.usage ?? usage
      const [choice] = chunk.choices
      if (!choice) continue
      finish = choice.finish_reason ?? finish
      reasoning += reasoningIn(choice.delta)
      details.push(...((choice.delta as Reasoned).reasoning_details ?? []))
      for (const piece of choice.delta.tool_calls ?? []) {
        const call = (open[piece.index] ??= {
          id: piece.id ?? '',
          name: piece.function?.name ?? '',
          arguments: '',
        })
        call.arguments += piece.function?.arguments ?? ''
      }
      if (!choice.delta.content) continue
      text += choice.delta.content
      pieces++
      onPiece?.()
    }
    assert.ok(usage, 'a usage chunk')
    const calls = open.map((call) => ({ ...call, arguments: JSON.parse(call.arguments) as unknown }))
    const message = {
      role: 'assistant' as const,
      content: text === '' ? null : text,
      tool_calls: open.map(({ id, ...target }) => ({ id, type: 'function' as const, function: target })),
      reasoning_details: details,
    }
    return {
      text,
      pieces,
      finish,
      usage: tokens(usage),
      calls,
      reasoning,
      json: undefined,
      resume: (resultOf) => stream(ask, [...messages, message, ...results(calls, resultOf)]),
    }
  }

  return {
    name: 'openai',
    whole: (ask) => whole(ask, [question(ask)]),
    stream: (ask, onPiece) => stream(ask, [question(ask)], onPiece),
    failure,
  }
}

function settings(ask: Ask, messages: Messages): ChatCompletionCreateParams & { stream?: false } {
  return {
    model: ask.model,
    messages,
    ...(ask.tools && { tools: ask.tools.map((each) => ({ type: 'function', function: { ...each } })) }),
    ...(ask.mustCall && { tool_choice: 'required' }),
    ...(ask.stop && { stop: ask.stop }),
    ...(ask.reasons && { reasoning_effort: 'high' }),
    ...(ask.json === 'object' && { response_format: { type: 'json_object' } }),
    ...(typeof ask.json === 'object' && {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'place', schema: ask.json, strict: true },
      },
    }),
  }
}

function question({ prompt, image }: Ask): ChatCompletionMessageParam {
  if (image === undefined) return { role: 'user', content: prompt }
  return {
    role: 'user',
    content: [
      { type: 'text', text: prompt },
      { type: 'image_url', image_url: { url: image } },
    ],
  }
}

function results(calls: Call[], resultOf: (call: Call) => string): Messages {
  return calls.map((call) => ({ role: 'tool', tool_call_id: call.id, content: resultOf(call) }))
}

function reasoningIn(message: object): string {
  const { reasoning_content: content, reasoning } = message as Reasoned
  return content ?? reasoning ?? ''
}

function tokens(usage: CompletionUsage): Tokens {
  return { input: usage.prompt_tokens, output: usage.completion_tokens, total: usage.total_tokens }
}

const classes: Readonly<Record<number, new (...given: never[]) => APIError>> = {
  400: BadRequestError,
  429: RateLimitError,
  504: InternalServerError,
}

export function failure(error: unknown): Failure {
  if (!(error instanceof APIError)) throw error
  const status = Number(error.status)
  assert.ok(error instanceof (classes[status] ?? APIError), `${error.constructor.name} for ${status}`)
  const retryAfter = (error.headers as Headers | undefined)?.get('retry-after') ?? null
  return { status, message: error.message, param: error.param ?? null, retryAfter }
}
