import {
  type AIMessage,
  type AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  ToolMessage,
  type UsageMetadata,
} from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { APIError } from 'openai'
import type { Ask, Call, Client, Endpoint, Failure, ClientResponse } from './client.ts'

/** LangChain's ChatOpenAI with another base address; with responses nothing is stored. */
export function langchainClient({ baseURL, apiKey }: Endpoint, api: 'chat' | 'responses' = 'chat'): Client {
  const isChat = api === 'chat'
  // LangChain's own field is for OpenAI's names of models only.
  const reasons = isChat ? { reasoning_effort: 'high' } : { reasoning: { effort: 'high', summary: 'auto' } }

  const chat = (ask: Ask) =>
    new ChatOpenAI({
      model: ask.model,
      apiKey,
      configuration: { baseURL },
      maxRetries: 0,
      useResponsesApi: !isChat,
      zdrEnabled: !isChat,
      ...(ask.reasons && { modelKwargs: reasons }),
    })

  /** The model with everything that was asked of it bound. */
  function bound(ask: Ask) {
    const offered = (ask.tools ?? []).map((each) => ({ type: 'function' as const, function: { ...each } }))
    const tools = [...offered, ...(ask.searches ? [{ type: 'web_search' as const }] : [])]
    return chat(ask).withConfig({
      ...(tools.length > 0 && { tools }),
      ...(ask.mustCall && { tool_choice: 'required' }),
      ...(ask.stop && { stop: ask.stop }),
      ...(ask.signal && { signal: ask.signal }),
      ...(!isChat && { include: ['reasoning.encrypted_content' as const] }),
    })
  }

  async function whole(ask: Ask, messages: BaseMessage[]): Promise<ClientResponse> {
    if (ask.json !== undefined) return structured(ask, messages)
    const message = await bound(ask).invoke(messages)
    return toResponse(message, 1, (turn) => whole(ask, [...messages, ...turn]))
  }

  async function structured(ask: Ask, messages: BaseMessage[]): Promise<ClientResponse> {
    const [schema, method] =
      typeof ask.json === 'object' ? [ask.json, 'jsonSchema' as const] : [{}, 'jsonMode' as const]
    const structure = {
      name: 'place',
      method,
      includeRaw: true as const,
      ...(method === 'jsonSchema' && { strict: true }),
    }
    const { raw, parsed } = await chat(ask)
      .withStructuredOutput<Record<string, unknown>>(schema, structure)
      .invoke(messages)
    return { ...toResponse(raw as AIMessage, 1, (turn) => whole(ask, [...messages, ...turn])), json: parsed }
  }

  async function stream(ask: Ask, messages: BaseMessage[], onPiece?: () => void): Promise<ClientResponse> {
    let joined: AIMessageChunk | undefined
    let pieces = 0
    for await (const chunk of await bound(ask).stream(messages)) {
      joined = joined?.concat(chunk) ?? chunk
      if (chunk.text === '') continue
      pieces++
      onPiece?.()
    }
    if (!joined) throw new Error('the stream was empty')
    return toResponse(joined, pieces, (turn) => stream(ask, [...messages, ...turn]))
  }

  return {
    name: 'langchain',
    whole: (ask) => whole(ask, [question(ask)]),
    stream: (ask, onPiece) => stream(ask, [question(ask)], onPiece),
    failure,
  }
}

function question({ prompt, image }: Ask): BaseMessage {
  if (image === undefined) return new HumanMessage(prompt)
  return new HumanMessage({
    content: [
      { type: 'text', text: prompt },
      { type: 'image_url', image_url: { url: image } },
    ],
  })
}

function toResponse(
  message: AIMessage | AIMessageChunk,
  pieces: number,
  goOn: (turn: BaseMessage[]) => Promise<ClientResponse>,
): ClientResponse {
  const calls = (message.tool_calls ?? []).map(({ id, name, args }) => ({
    id: id ?? '',
    name,
    arguments: args,
  }))
  const usage = message.usage_metadata as UsageMetadata | undefined
  const results = (resultOf: (call: Call) => string) =>
    calls.map((call) => new ToolMessage({ tool_call_id: call.id, content: resultOf(call) }))
  return {
    text: message.text,
    pieces,
    finish: finishOf(message, calls.length > 0),
    usage: {
      input: usage?.input_tokens ?? 0,
      output: usage?.output_tokens ?? 0,
      total: usage?.total_tokens ?? 0,
    },
    calls,
    reasoning: reasoningIn(message),
    json: undefined,
    resume: (resultOf) => goOn([message, ...results(resultOf)]),
  }
}

/** Chat completions say why they ended; of responses LangChain keeps the status. */
function finishOf({ response_metadata: metadata }: AIMessage | AIMessageChunk, hasCalls: boolean): string {
  if (metadata['status'] === undefined) return String(metadata['finish_reason'])
  return metadata['status'] !== 'completed' ? 'length' : hasCalls ? 'tool_calls' : 'stop'
}

function reasoningIn({ additional_kwargs: kept }: AIMessage | AIMessageChunk): string {
  if (typeof kept['reasoning_content'] === 'string') return kept['reasoning_content']
  const { summary = [] } = (kept['reasoning'] ?? {}) as { summary?: { text?: string }[] }
  return summary.map((part) => part.text ?? '').join('')
}

/** LangChain throws the errors of the `openai` package, with fields of its own added. */
function failure(error: unknown): Failure {
  if (!(error instanceof APIError)) throw error
  const retryAfter = (error.headers as Headers | undefined)?.get('retry-after') ?? null
  return { status: Number(error.status), message: error.message, param: error.param ?? null, retryAfter }
}
