import { randomUUID } from 'node:crypto'
import { arrayOf, isObject, objectOf, parseJson, stringOf, type JsonObject } from '../../wire/json.ts'
import { reasoningEntry } from '../../chat/reasoning-details.ts'
import type { ToolNames } from '../../chat/tool-names.ts'
import { brokenFault } from '../../wire/fault.ts'
import { toOpenAiUsage } from '../../wire/chunk-writer.ts'
import type { ChatResponse } from '../../provider.ts'
import { errorFault } from './fault.ts'
import { blockedPrompt, finishOf } from './finish.ts'
import { countSearches, toAnnotations } from './grounding.ts'
import type { CitedText } from './grounding.ts'
import { toLogprobs } from './logprobs.ts'
import { reasoningFormat, toExtra } from './signatures.ts'
import { imageEntry, readResponsePart } from './response-part.ts'
import { mergeUsage, toUsage } from './usage.ts'

export interface CandidateContext {
  /** The name at Google, and the one the client used. */
  model: string
  requestedModel: string
  generation: number
  names: ToolNames
  /** Only the first call of a response is passed on. */
  isSingleCall: boolean
}

export function readResponse(bytes: Uint8Array, context: CandidateContext): ChatResponse {
  const response = parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())
  if (!isObject(response)) throw brokenFault('Gemini', 'sent a response that is not JSON')
  if (isObject(response['error'])) throw errorFault(response)
  const candidates = arrayOf(response['candidates']).map(objectOf)
  const blocked = candidates.length === 0 ? blockedPrompt(response) : undefined
  if (candidates.length === 0 && !blocked) throw brokenFault('Gemini', 'sent a response without content')
  const id = stringOf(response['responseId']) || randomUUID()
  const choices = blocked
    ? [choiceOf(0, { role: 'assistant', content: null, refusal: blocked.refusal }, blocked.reason)]
    : candidates.map((candidate, index) => readCandidate(candidate, index, `call_${id}`, context))
  const searches = candidates.reduce(
    (sum, candidate) => sum + countSearches(candidate['groundingMetadata'], context.generation),
    0,
  )
  const usage = toUsage(mergeUsage(null, response['usageMetadata']), searches)
  const body = {
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: context.requestedModel,
    choices,
    ...(usage ? { usage: toOpenAiUsage(usage) } : {}),
  }
  return { body: JSON.stringify(body), usage }
}

function choiceOf(index: number, message: unknown, finishReason: string, logprobs: unknown = null) {
  return { index, message, logprobs, finish_reason: finishReason }
}

function readCandidate(candidate: JsonObject, index: number, idPrefix: string, context: CandidateContext) {
  const output = readParts(candidate, `${idPrefix}_${index}`, context)
  const { content, reasoning, details, calls, images, signature } = output
  const finish = finishOf(candidate, {
    hasCalls: calls.length > 0,
    hasContent: content !== '' || images.length > 0,
  })
  const annotations = toAnnotations(candidate['groundingMetadata'], output.cited)
  const isSilent = content === '' && (calls.length > 0 || images.length > 0 || finish.refusal !== null)
  const extra = extraOf(signature, stringOf(candidate['continuationToken']))
  const message = {
    role: 'assistant',
    content: isSilent ? null : content,
    refusal: finish.refusal,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning, reasoning }),
    ...(details.length > 0 ? { reasoning_details: details } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(images.length > 0 ? { images } : {}),
    ...(annotations.length > 0 ? { annotations } : {}),
    ...(extra ? { extra_content: extra } : {}),
  }
  return choiceOf(index, message, finish.reason, toLogprobs(candidate['logprobsResult']))
}

/** What Google adds to a message: the signature of its text, and the token to continue a long decode. */
export function extraOf(signature: string, continuation: string): unknown {
  if (signature === '' && continuation === '') return undefined
  return {
    google: {
      ...(signature === '' ? {} : { thought_signature: signature }),
      ...(continuation === '' ? {} : { continuation_token: continuation }),
    },
  }
}

function readParts(candidate: JsonObject, idPrefix: string, context: CandidateContext) {
  let content = ''
  let reasoning = ''
  let signature = ''
  const seals: { signature: string; id?: string }[] = []
  const calls: unknown[] = []
  const images: unknown[] = []
  const cited: CitedText[] = []
  for (const item of arrayOf(objectOf(candidate['content'])['parts'])) {
    const part = readResponsePart(item)
    cited.push({ text: part?.kind === 'text' ? part.text : '', start: content.length })
    if (part?.kind === 'thought') reasoning += part.text
    else if (part?.kind === 'image') images.push(imageEntry(part.url))
    else if (part?.kind === 'text') {
      content += part.text
      signature = part.signature || signature
    } else if (part?.kind === 'call' && !(context.isSingleCall && calls.length > 0)) {
      const id = part.id || `${idPrefix}_${calls.length}`
      calls.push(toCall(part, id, context.names))
      if (part.signature !== '') seals.push({ signature: part.signature, id })
    }
  }
  if (signature !== '') seals.push({ signature })
  const details: unknown[] = reasoning === '' ? [] : [thoughts(reasoning, 0, context.model)]
  for (const seal of seals) details.push(sealed(seal.signature, details.length, context.model, seal.id))
  return { content, reasoning, details, calls, images, cited, signature }
}

export function toCall(
  part: { name: string; arguments: string; signature: string },
  id: string,
  names: ToolNames,
) {
  return {
    id,
    type: 'function',
    function: { name: names.toClient(part.name), arguments: part.arguments },
    ...(part.signature === '' ? {} : { extra_content: toExtra(part.signature) }),
  }
}

const nowhere = { textBefore: 0, callsBefore: 0 }

export function thoughts(text: string, index: number, model: string) {
  return reasoningEntry(
    { type: 'reasoning.text', text },
    { ...nowhere, index, format: reasoningFormat, model },
  )
}

/** A signature as an entry of the reasoning details, for clients that keep those but not `extra_content`. */
export function sealed(signature: string, index: number, model: string, id?: string) {
  const content = { type: 'reasoning.encrypted', data: signature, ...(id === undefined ? {} : { id }) }
  return reasoningEntry(content, { ...nowhere, index, format: reasoningFormat, model })
}
