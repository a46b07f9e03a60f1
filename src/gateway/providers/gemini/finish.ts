import { objectOf, stringOf, type JsonObject } from '../../wire/json.ts'
import { brokenFault } from '../../wire/fault.ts'

const filtered = new Set(
  `SAFETY RECITATION BLOCKLIST PROHIBITED_CONTENT SPII LANGUAGE IMAGE_SAFETY IMAGE_PROHIBITED_CONTENT
  IMAGE_RECITATION`.split(/\s+/),
)
const failed = new Set(
  'MALFORMED_FUNCTION_CALL UNEXPECTED_TOOL_CALL TOO_MANY_TOOL_CALLS OTHER NO_IMAGE IMAGE_OTHER'.split(' '),
)

export interface Finish {
  reason: string
  refusal: string | null
}

/** Throws where the model failed and wrote nothing: an empty success would hide it. */
export function finishOf(candidate: JsonObject, output: { hasCalls: boolean; hasContent: boolean }): Finish {
  const native = stringOf(candidate['finishReason'])
  const explanation = stringOf(candidate['finishMessage'])
  if (filtered.has(native)) {
    return { reason: 'content_filter', refusal: explanation || `The response was stopped: ${native}.` }
  }
  // A long decode continues only when asked to with its token; until then the response is cut off.
  if (native === 'MAX_TOKENS' || native === 'CONTINUATION') return { reason: 'length', refusal: null }
  if (failed.has(native) && !output.hasContent && !output.hasCalls) {
    throw brokenFault('Gemini', `gave no response (${native}${explanation === '' ? '' : `: ${explanation}`})`)
  }
  return { reason: output.hasCalls ? 'tool_calls' : 'stop', refusal: null }
}

/** The prompt itself was refused: there is no candidate. Undefined when it was not. */
export function blockedPrompt(response: JsonObject): Finish | undefined {
  const feedback = objectOf(response['promptFeedback'])
  const reason = stringOf(feedback['blockReason'])
  if (reason === '') return undefined
  const explanation = stringOf(feedback['blockReasonMessage'])
  return { reason: 'content_filter', refusal: explanation || `The prompt was blocked: ${reason}.` }
}
