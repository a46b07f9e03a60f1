import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible, type MetadataExtractor } from '@ai-sdk/openai-compatible'
import {
  APICallError,
  type AssistantModelMessage,
  generateText,
  jsonSchema,
  type JSONValue,
  type LanguageModel,
  type ModelMessage,
  Output,
  streamText,
  tool,
  type ToolModelMessage,
  type ToolSet,
} from 'ai'
import type { Ask, Call, Client, Endpoint, Failure, Tokens, ClientResponse } from './client.ts'

/** The Vercel AI SDK with its provider for OpenAI-compatible services. */
export function vercelClient({ baseURL, apiKey }: Endpoint): Client {
  const provider = createOpenAICompatible({
    name: 'signalbox',
    baseURL,
    apiKey,
    includeUsage: true,
    supportsStructuredOutputs: true,
    metadataExtractor: keepReasoning,
  })
  return sdkClient({ settings: (ask) => ({ model: provider(ask.model) }), keep: withReasoning })
}

/** The SDK with its provider for OpenAI, which uses the Responses API, with storing turned off. */
export function vercelResponsesClient(endpoint: Endpoint): Client {
  const provider = createOpenAI(endpoint)
  return sdkClient({
    settings: (ask) => ({
      model: provider(ask.model),
      ...(ask.searches && { tools: { web_search: provider.tools.webSearch({}) } }),
      providerOptions: {
        openai: {
          store: false,
          // It would ask for reasoning only where it knows the name of the model.
          ...(ask.reasons && { forceReasoning: true, reasoningSummary: 'auto' }),
        },
      },
    }),
    keep: (said) => [...said],
  })
}

type Said = readonly (AssistantModelMessage | ToolModelMessage)[]
type Metadata = Record<string, Record<string, JSONValue | undefined>> | undefined

/** How a provider of the SDK is used. */
interface Way {
  settings(ask: Ask): {
    model: LanguageModel
    tools?: ToolSet
    providerOptions?: Record<string, Record<string, JSONValue>>
  }
  /** The messages of a response as they go back. */
  keep(said: Said, metadata: Metadata): ModelMessage[]
}

function sdkClient(way: Way): Client {
  const settings = (ask: Ask, messages: ModelMessage[]) => ({
    ...way.settings(ask),
    messages,
    maxRetries: 0,
    ...(ask.tools && { tools: toolsOf(ask) }),
    ...(ask.mustCall && { toolChoice: 'required' as const }),
    ...(ask.stop && { stopSequences: ask.stop }),
    ...(ask.reasons && { reasoning: 'high' as const }),
    ...(ask.signal && { abortSignal: ask.signal }),
  })

  async function whole(ask: Ask, messages: ModelMessage[]): Promise<ClientResponse> {
    const output =
      ask.json === undefined || ask.json === 'object'
        ? Output.json()
        : Output.object({ schema: jsonSchema(ask.json), name: 'place' })
    const result = await generateText({ ...settings(ask, messages), ...(ask.json && { output }) })
    const calls = result.toolCalls.map(toCall)
    return {
      text: result.text,
      pieces: 1,
      finish: result.finishReason,
      usage: tokens(result.usage),
      calls,
      reasoning: result.reasoningText ?? '',
      json: ask.json && result.output,
      resume: (resultOf) => {
        const said = way.keep(result.response.messages, result.providerMetadata)
        return whole(ask, [...messages, ...said, results(calls, resultOf)])
      },
    }
  }

  async function stream(ask: Ask, messages: ModelMessage[], onPiece?: () => void): Promise<ClientResponse> {
    let [text, reasoning, pieces] = ['', '', 0]
    const result = streamText({ ...settings(ask, messages), onError: () => undefined })
    for await (const part of result.fullStream) {
      if (part.type === 'error') throw part.error
      if (part.type === 'abort') throw new Error('aborted')
      if (part.type === 'reasoning-delta') reasoning += part.text
      if (part.type !== 'text-delta') continue
      text += part.text
      pieces++
      onPiece?.()
    }
    const calls = (await result.toolCalls).map(toCall)
    const { messages: said } = await result.response
    const metadata = await result.providerMetadata
    return {
      text,
      pieces,
      finish: await result.finishReason,
      usage: tokens(await result.usage),
      calls,
      reasoning,
      json: undefined,
      resume: (resultOf) => stream(ask, [...messages, ...way.keep(said, metadata), results(calls, resultOf)]),
    }
  }

  return {
    name: 'ai',
    whole: (ask) => whole(ask, [question(ask)]),
    stream: (ask, onPiece) => stream(ask, [question(ask)], onPiece),
    failure,
  }
}

/** The SDK keeps the text of reasoning only; this is its own way to keep the other fields of a response. */
const keepReasoning: MetadataExtractor = {
  extractMetadata: async ({ parsedBody }) => reasoningMetadata(detailsIn(parsedBody, 'message')),
  createStreamExtractor() {
    const details: JSONValue[] = []
    return {
      processChunk: (chunk) => void details.push(...detailsIn(chunk, 'delta')),
      buildMetadata: () => reasoningMetadata(details),
    }
  },
}

function detailsIn(body: unknown, holder: 'message' | 'delta'): JSONValue[] {
  type Choice = Partial<Record<typeof holder, { reasoning_details?: JSONValue[] }>>
  const { choices } = body as { choices?: Choice[] }
  return choices?.[0]?.[holder]?.reasoning_details ?? []
}

function reasoningMetadata(details: JSONValue[]) {
  return details.length > 0 ? { openaiCompatible: { reasoning_details: details } } : undefined
}

/** What stands under `openaiCompatible` of a message goes out as members of that message. */
function withReasoning(said: Said, metadata: Metadata): ModelMessage[] {
  const openaiCompatible = metadata?.['openaiCompatible'] ?? {}
  return said.map((message) =>
    message.role === 'assistant' ? { ...message, providerOptions: { openaiCompatible } } : message,
  )
}

function question({ prompt, image }: Ask): ModelMessage {
  if (image === undefined) return { role: 'user', content: prompt }
  return {
    role: 'user',
    content: [
      { type: 'text', text: prompt },
      { type: 'file', data: image, mediaType: 'image/png' },
    ],
  }
}

function toolsOf({ tools }: Ask): ToolSet {
  const offered = (tools ?? []).map(({ name, description, parameters }) => [
    name,
    tool({ description, inputSchema: jsonSchema(parameters) }),
  ])
  return Object.fromEntries(offered) as ToolSet
}

function toCall(call: { toolCallId: string; toolName: string; input: unknown }): Call {
  return { id: call.toolCallId, name: call.toolName, arguments: call.input }
}

function results(calls: Call[], resultOf: (call: Call) => string): ToolModelMessage {
  return {
    role: 'tool',
    content: calls.map((call) => ({
      type: 'tool-result',
      toolCallId: call.id,
      toolName: call.name,
      output: { type: 'text', value: resultOf(call) },
    })),
  }
}

function tokens(usage: {
  inputTokens: number | undefined
  outputTokens: number | undefined
  totalTokens: number | undefined
}): Tokens {
  return { input: usage.inputTokens ?? 0, output: usage.outputTokens ?? 0, total: usage.totalTokens ?? 0 }
}

function failure(error: unknown): Failure {
  if (!APICallError.isInstance(error)) throw error
  const { error: reported } = error.data as { error: { param?: string | null } }
  return {
    status: error.statusCode ?? 0,
    message: error.message,
    param: reported.param ?? null,
    retryAfter: error.responseHeaders?.['retry-after'] ?? null,
  }
}
