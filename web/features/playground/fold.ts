import { ApiError } from '../../api/client.ts'
import { citedSources, listedSources, mergeSources, type Source } from './sources.ts'
import type { Draft, ToolCall, Usage } from './types.ts'

interface Piece {
  content?: string | null
  reasoning_content?: string | null
  reasoning?: string | null
  tool_calls?: { index?: number; function?: { name?: string; arguments?: string } }[] | null
  annotations?: unknown
}

interface Chunk {
  choices?: { delta?: Piece; message?: Piece; finish_reason?: string | null }[]
  usage?: {
    prompt_tokens?: number
    completion_tokens?: number
    prompt_tokens_details?: { cached_tokens?: number } | null
    completion_tokens_details?: { reasoning_tokens?: number } | null
  } | null
  citations?: unknown
  search_results?: unknown
  error?: { message?: string; code?: string; param?: string | null }
}

export const emptyDraft: Draft = {
  text: '',
  reasoning: '',
  toolCalls: [],
  sources: [],
  usage: null,
  finishReason: null,
}

/** Adds one chunk of a stream to the draft. Throws if the chunk is an error. */
export function fold(draft: Draft, data: string): Draft {
  const chunk = parse(data)
  if (chunk.error) throw errorOf(chunk.error)
  const choice = chunk.choices?.[0]
  const piece = choice?.delta ?? choice?.message ?? {}
  return {
    text: draft.text + (piece.content ?? ''),
    // Two names for the same text; if both are sent they are equal.
    reasoning: draft.reasoning + (piece.reasoning_content ?? piece.reasoning ?? ''),
    toolCalls: piece.tool_calls ? addCalls(draft.toolCalls, piece.tool_calls) : draft.toolCalls,
    sources: addSources(draft.sources, chunk),
    usage: chunk.usage ? usageOf(chunk.usage) : draft.usage,
    finishReason: choice?.finish_reason ?? draft.finishReason,
  }
}

function parse(data: string): Chunk {
  try {
    return JSON.parse(data) as Chunk
  } catch {
    throw new ApiError(502, 'provider_error', 'Part of the response could not be read.', null)
  }
}

/** An error within a stream has no status of its own. */
function errorOf({ message, code, param }: NonNullable<Chunk['error']>): ApiError {
  return new ApiError(
    502,
    code ?? 'provider_error',
    message ?? 'The response was interrupted.',
    param ?? null,
  )
}

function addCalls(calls: readonly ToolCall[], pieces: NonNullable<Piece['tool_calls']>): ToolCall[] {
  const next = [...calls]
  for (const [position, piece] of pieces.entries()) {
    const index = piece.index ?? position
    const before = next[index] ?? { name: '', arguments: '' }
    next[index] = {
      name: before.name + (piece.function?.name ?? ''),
      arguments: before.arguments + (piece.function?.arguments ?? ''),
    }
  }
  // A provider that counts from one leaves a gap.
  return next.filter(Boolean)
}

/** Most chunks have no sources; the list then stays the same object. */
function addSources(sources: Source[], chunk: Chunk): Source[] {
  const choice = chunk.choices?.[0]
  const found = [
    listedSources(chunk),
    citedSources(choice?.delta?.annotations),
    citedSources(choice?.message?.annotations),
  ]
  return found.some((list) => list.length > 0) ? mergeSources(sources, ...found) : sources
}

function usageOf(usage: NonNullable<Chunk['usage']>): Usage {
  return {
    input: usage.prompt_tokens ?? 0,
    cached: usage.prompt_tokens_details?.cached_tokens ?? 0,
    output: usage.completion_tokens ?? 0,
    reasoning: usage.completion_tokens_details?.reasoning_tokens ?? 0,
  }
}
