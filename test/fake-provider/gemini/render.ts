import type { Completion } from '../completion.ts'
import { seal } from '../identifiers.ts'
import { parseJson } from '../json.ts'
import { googleEvent } from '../sse.ts'

export interface GeminiRendering {
  responseId: string
  model: string
  /** From the third generation on: call ids and thought signatures. */
  signs: boolean
  shown: boolean
  candidates: number
  logprobs: boolean
  images: number
}

const finishReasons = {
  stop: 'STOP',
  tool_calls: 'STOP',
  length: 'MAX_TOKENS',
  content_filter: 'SAFETY',
} as const

/** The candidates leave out thoughts; the prompt includes what was cached. */
function usage(completion: Completion, images: number) {
  const { input, cached, output, reasoning } = completion.usage
  const details = [{ modality: 'TEXT', tokenCount: input - images * 258 }]
  if (images > 0) details.push({ modality: 'IMAGE', tokenCount: images * 258 })
  return {
    promptTokenCount: input,
    ...(cached > 0
      ? {
          cachedContentTokenCount: cached,
          cacheTokensDetails: [{ modality: 'TEXT', tokenCount: cached }],
        }
      : {}),
    candidatesTokenCount: output - reasoning,
    totalTokenCount: input + output,
    promptTokensDetails: details,
    ...(reasoning > 0 ? { thoughtsTokenCount: reasoning } : {}),
  }
}

function ending(completion: Completion) {
  const finishReason = completion.nativeFinish ?? finishReasons[completion.finish]
  return {
    finishReason,
    ...(finishReason === 'CONTINUATION'
      ? { continuationToken: seal({ continuation: completion.text.length }) }
      : {}),
    ...(completion.refusal === null ? {} : { finishMessage: completion.refusal }),
  }
}

function callParts(completion: Completion, how: GeminiRendering): unknown[] {
  return completion.calls.map((call, index) => ({
    functionCall: {
      ...(how.signs ? { id: call.id } : {}),
      name: call.name,
      args: parseJson(call.arguments) ?? {},
    },
    // Only the first of several parallel calls bears the signature.
    ...(how.signs && index === 0 ? { thoughtSignature: seal({ call: call.name }) } : {}),
  }))
}

export function renderContent(completion: Completion, how: GeminiRendering): unknown {
  const signature =
    how.signs && completion.calls.length === 0 ? { thoughtSignature: seal({ text: true }) } : {}
  const parts = [
    ...(how.shown && completion.reasoning !== '' ? [{ text: completion.reasoning, thought: true }] : []),
    ...(completion.text === '' ? [] : [{ text: completion.text, ...signature }]),
    ...callParts(completion, how),
  ]
  const logprobs = how.logprobs ? { avgLogprobs: -0.25, logprobsResult: logprobsOf(completion) } : {}
  return {
    candidates: Array.from({ length: how.candidates }, (_, index) => ({
      content: { ...(parts.length === 0 ? {} : { parts }), role: 'model' },
      ...ending(completion),
      index,
      ...logprobs,
    })),
    usageMetadata: usage(completion, how.images),
    modelVersion: how.model,
    responseId: how.responseId,
  }
}

export function* renderContentStream(completion: Completion, how: GeminiRendering): Iterable<string> {
  const whole = usage(completion, how.images)
  const shared = { modelVersion: how.model, responseId: how.responseId }
  const running = { promptTokenCount: whole.promptTokenCount, totalTokenCount: whole.promptTokenCount }
  const chunk = (parts: unknown[]) =>
    googleEvent({
      candidates: [{ content: { parts, role: 'model' }, index: 0 }],
      usageMetadata: running,
      ...shared,
    })
  if (how.shown && completion.reasoning !== '') yield chunk([{ text: completion.reasoning, thought: true }])
  for (const piece of completion.pieces()) yield chunk([{ text: piece }])
  for (const part of callParts(completion, how)) yield chunk([part])
  const signature =
    how.signs && completion.calls.length === 0 ? { thoughtSignature: seal({ text: true }) } : {}
  yield googleEvent({
    candidates: [
      { content: { parts: [{ text: '', ...signature }], role: 'model' }, ...ending(completion), index: 0 },
    ],
    usageMetadata: whole,
    ...shared,
  })
}

/** The prompt itself was blocked: no candidate at all. */
export function renderBlocked(reason: string, completion: Completion, how: GeminiRendering): unknown {
  return {
    promptFeedback: { blockReason: reason },
    usageMetadata: { promptTokenCount: completion.usage.input, totalTokenCount: completion.usage.input },
    modelVersion: how.model,
    responseId: how.responseId,
  }
}

function logprobsOf(completion: Completion) {
  const chosen = [...completion.pieces()].map((token, index) => ({
    token,
    tokenId: 1000 + index,
    logProbability: -0.25,
  }))
  return { topCandidates: chosen.map((candidate) => ({ candidates: [candidate] })), chosenCandidates: chosen }
}
