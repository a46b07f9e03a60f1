import type { BuiltInProvider } from '../../provider.ts'
import { builtInNames } from '../../provider-names.ts'
import { contentOf } from '../../wire/large-json.ts'
import { neverStreamed, readTokenCount } from '../../wire/token-count.ts'
import { embeddings } from './embeddings.ts'
import { readResponse } from './response.ts'
import { readFault } from './fault.ts'
import { modelList } from './model-list.ts'
import { toGeminiRequest } from './request.ts'
import { GeminiStream } from './stream.ts'

/** Gemini and Gemma models over generateContent. */
export const gemini = {
  id: 'gemini',
  specName: 'gamma',
  name: builtInNames.gemini.name,
  docsUrl: 'https://ai.google.dev/gemini-api/docs',
  prefixes: ['gemini-', 'gemma-'],
  words: ['google'],
  credentials: (key) => ({ query: { key } }),
  chat(request) {
    const { model, requestedModel, isStream, wantsUsage } = request
    const { content, dropped, names, can, isSingleCall } = toGeminiRequest(request)
    const context = { model, requestedModel, generation: can.generation, names, isSingleCall }
    const method = isStream ? 'streamGenerateContent' : 'generateContent'
    return {
      path: `/v1beta/models/${encodeURIComponent(model)}:${method}`,
      // Without this a stream is one JSON array.
      query: isStream ? { alt: 'sse' } : {},
      ...content,
      dropped: [...dropped],
      adapted: dropped.adapted,
      response: (bytes) => readResponse(bytes, context),
      stream: () => new GeminiStream({ ...context, wantsUsage }),
    }
  },
  countTokens(request) {
    const { model } = request
    const { upstream, dropped } = toGeminiRequest(request)
    const generateContentRequest = { model: `models/${model}`, ...upstream }
    return {
      path: `/v1beta/models/${encodeURIComponent(model)}:countTokens`,
      ...contentOf({ generateContentRequest }, request),
      dropped: [...dropped],
      response: (bytes) => readTokenCount('Gemini', bytes, 'totalTokens'),
      stream: neverStreamed,
    }
  },
  fault: readFault,
  models: modelList,
  prices: { tableId: 'google' },
  agentModels: { family: /^gemini-\d+(\.\d+)?-(argon|pro|flash)$/, fallback: 'gemini-4-argon' },
  embeddings,
} satisfies BuiltInProvider
