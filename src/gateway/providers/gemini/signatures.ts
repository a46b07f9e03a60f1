import type { AssistantTurn } from '../../chat/assistant.ts'
import { objectOf, stringOf, type JsonObject } from '../../wire/json.ts'

export const reasoningFormat = 'google-gemini-v1'

/** The value Google accepts for calls without a signature or made by another model. */
const missingSignature = 'skip_thought_signature_validator'

/** `extra_content`, as Google's own Chat Completions API carries it. */
export function toExtra(signature: string): JsonObject {
  return { google: { thought_signature: signature } }
}

function signatureIn(extra: JsonObject): string {
  return stringOf(objectOf(extra['google'])['thought_signature'])
}

export interface Signatures {
  /** By the id of the call. */
  calls: ReadonlyMap<string, string>
  text: string
}

/** Signatures as the client brought them back: on the calls and the message, or else in the reasoning details. */
export function signaturesOf(turn: AssistantTurn): Signatures {
  const calls = new Map<string, string>()
  let text = ''
  for (const detail of turn.reasoning) {
    if (detail.type !== 'encrypted' || detail.format !== reasoningFormat) continue
    if (detail.id === '') text = detail.value
    else calls.set(detail.id, detail.value)
  }
  for (const call of turn.calls) {
    const own = signatureIn(call.extra)
    if (own !== '') calls.set(call.id, own)
  }
  return { calls, text: signatureIn(turn.extra) || text }
}

/** The first call of a turn must bear a signature from the third generation on; its siblings need none. */
export function signed(signature: string, isRequired: boolean): { thoughtSignature?: string } {
  if (signature !== '') return { thoughtSignature: signature }
  return isRequired ? { thoughtSignature: missingSignature } : {}
}
