import { z } from 'zod'
import { Fault, faults } from '#kernel/errors'

export interface ModelReply {
  requestId: string
  /** Null when the model only called tools. */
  text: string | null
  /** The message as it has to be sent back with the results of its tools. */
  message: Readonly<Record<string, unknown>>
  /** Why the model does not respond, in its words or those of its provider. */
  refusal: string | null
  toolCalls: readonly { id: string; name: string; arguments: string }[]
  /** Such as `stop`, `length` or `tool_calls`. */
  finishReason: string | null
  /** Pages of the web that a model which searches it names. */
  sources: readonly WebSource[]
}

export interface WebSource {
  title: string
  url: string
  excerpt: string
}

const error = z.object({
  error: z.object({
    message: z.string(),
    type: z.string().catch('server_error'),
    param: z.string().nullable().catch(null),
    code: z.string().catch('provider_error'),
  }),
})

/** The fault that a client would see. */
export function refusal(status: number, body: unknown): Fault {
  const { data } = error.safeParse(body)
  if (!data) return new Fault(faults.provider, `The gateway returned ${status}.`, { status })
  const { message, type, param, code } = data.error
  return new Fault({ status, code, type }, message, { param })
}

const called = z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) })
const message = z.looseObject({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(called.loose()).nullish(),
  annotations: z.array(z.unknown()).nullish().catch(null),
})
const whole = z.object({
  choices: z.array(z.object({ finish_reason: z.string().nullish(), message })).min(1),
  search_results: z.array(z.unknown()).nullish().catch(null),
})

export function readReply(requestId: string, body: unknown): ModelReply {
  const { data } = whole.safeParse(body)
  const choice = data?.choices[0]
  if (!choice) throw new Fault(faults.provider, 'The model returned no message.')
  const { message: said, finish_reason: finishReason } = choice
  return {
    requestId,
    text: said.content ?? null,
    refusal: said.refusal?.trim() ? said.refusal : null,
    message: said,
    toolCalls: (said.tool_calls ?? []).map(({ id, function: { name, arguments: given } }) => ({
      id,
      name,
      arguments: given,
    })),
    finishReason: finishReason ?? null,
    sources: sourcesOf([...(said.annotations ?? []), ...(data.search_results ?? [])]),
  }
}

const page = z.object({
  url: z.url({ protocol: /^https?$/ }).max(2_000),
  title: z.string().catch(''),
  snippet: z.string().catch(''),
})

/** Citations in the text and lists of results, as the APIs of providers give them; each page once. */
function sourcesOf(given: readonly unknown[]): WebSource[] {
  const sources = new Map<string, WebSource>()
  for (const each of given) {
    const cited = (each as { url_citation?: unknown } | null)?.url_citation
    const { data } = page.safeParse(cited ?? each)
    if (!data) continue
    const known = sources.get(data.url)
    const excerpt = data.snippet === '' ? (known?.excerpt ?? '') : data.snippet
    sources.set(data.url, { title: data.title || known?.title || data.url, url: data.url, excerpt })
  }
  return [...sources.values()]
}

const piece = z.object({
  choices: z.array(
    z.object({
      finish_reason: z.string().nullish(),
      delta: z.looseObject({
        content: z.string().nullish(),
        refusal: z.string().nullish(),
        tool_calls: z.array(z.looseObject({ index: z.int().min(0).max(127).optional() })).nullish(),
        reasoning: z.string().nullish(),
        reasoning_content: z.string().nullish(),
        reasoning_details: z.array(z.unknown()).nullish(),
        annotations: z.array(z.unknown()).nullish(),
      }),
    }),
  ),
  search_results: z.array(z.unknown()).nullish().catch(null),
})

type Loose = Record<string, unknown>

/** What a chunk of a stream adds. */
interface Piece {
  text: string
  thought: string
}

const nothing: Piece = { text: '', thought: '' }

/**
 * Reads a streamed response of our own gateway. `onPiece` is called for each piece in order, and awaited. Rejects also
 * when the response breaks off.
 */
export async function readStream(
  requestId: string,
  body: AsyncIterable<Uint8Array>,
  onPiece: (piece: Piece) => void | Promise<void>,
): Promise<ModelReply> {
  const reply = new ReplyCollector()
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data: ')) await onPiece(reply.add(line.slice(6)))
  }
  return reply.finish(requestId)
}

/** Puts the pieces of a streamed response together. What is sent back with results of tools is as in a whole one. */
class ReplyCollector {
  text = ''
  #refusal = ''
  #extra: Loose = {}
  #finish: string | null = null
  #isDone = false
  readonly #calls: Loose[] = []
  readonly #reasoning: unknown[] = []
  readonly #annotations: unknown[] = []
  #results: unknown[] = []

  /** Returns what it adds. Throws what the gateway reports within the stream. */
  add(data: string): Piece {
    if (data === '[DONE]') {
      this.#isDone = true
      return nothing
    }
    const value: unknown = JSON.parse(data)
    if (error.safeParse(value).success) throw refusal(502, value)
    const chunk = piece.safeParse(value).data
    if (chunk?.search_results) this.#results = chunk.search_results
    const choice = chunk?.choices[0]
    if (!choice) return nothing
    this.#finish = choice.finish_reason ?? this.#finish
    const { role: _role, content, refusal: refused, tool_calls: calls, ...others } = choice.delta
    const { reasoning, reasoning_content, reasoning_details, annotations, ...extra } = others
    for (const call of calls ?? []) this.#addCall(call)
    this.#reasoning.push(...(reasoning_details ?? []))
    this.#annotations.push(...(annotations ?? []))
    Object.assign(this.#extra, extra)
    this.text += content ?? ''
    this.#refusal += refused ?? ''
    return { text: content ?? '', thought: reasoning_content ?? reasoning ?? '' }
  }

  #addCall({ index = this.#calls.length, ...fields }: Loose & { index?: number | undefined }): void {
    const { function: given, ...rest } = fields as Loose & { function?: Loose }
    const call = (this.#calls[index] ??= { type: 'function', function: { name: '', arguments: '' } })
    const known = call['function'] as { name: string; arguments: string }
    if (typeof given?.['name'] === 'string' && given['name'] !== '') known.name = given['name']
    if (typeof given?.['arguments'] === 'string') known.arguments += given['arguments']
    for (const [name, value] of Object.entries(rest)) if (value !== null && value !== '') call[name] = value
  }

  /** Throws when the stream ended without its sign of a good end. */
  finish(requestId: string): ModelReply {
    if (!this.#isDone) throw new Fault(faults.provider, 'The model stopped in the middle of its response.')
    const calls = this.#calls.filter((call) => call !== undefined)
    const said = {
      role: 'assistant',
      content: this.text === '' ? null : this.text,
      ...(this.#refusal !== '' && { refusal: this.#refusal }),
      ...(calls.length > 0 && { tool_calls: calls }),
      ...(this.#reasoning.length > 0 && { reasoning_details: this.#reasoning }),
      ...(this.#annotations.length > 0 && { annotations: this.#annotations }),
      ...this.#extra,
    }
    const choices = [{ finish_reason: this.#finish, message: said }]
    return readReply(requestId, { choices, search_results: this.#results })
  }
}
