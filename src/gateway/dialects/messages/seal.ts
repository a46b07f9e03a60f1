import { isObject, listOf, objectOf, parseJson, textOf } from '../../providers/json.ts'
import type { JsonObject } from '../../providers/json.ts'

/** What a provider wants back with the next turn and this form has no place for. */
export interface Kept {
  /** Entries of `reasoning_details`. */
  readonly details: readonly unknown[]
  /** `extra_content` by the id of the call that bore it. */
  readonly extras: Readonly<Record<string, unknown>>
}

/** Tells our signatures from those that a model's maker has made. */
const mark = 'signalbox1.'

/** Packs it into the signature of a thinking block, which clients hand back as it is. */
export function seal(providerId: string, { details, extras }: Kept): string {
  return mark + Buffer.from(JSON.stringify({ provider: providerId, details, extras })).toString('base64url')
}

/** Undefined for a signature that is not ours, or that belongs to another provider's model. */
export function unseal(signature: string, providerId: string): Kept | undefined {
  if (!signature.startsWith(mark)) return undefined
  const content = parseJson(Buffer.from(signature.slice(mark.length), 'base64url').toString())
  if (!isObject(content) || textOf(content['provider']) !== providerId) return undefined
  return { details: listOf(content['details']).filter(isObject), extras: objectOf(content['extras']) }
}

export function isSealed(block: JsonObject): boolean {
  return textOf(block['signature'] ?? block['data']).startsWith(mark)
}

/** Whether the bytes of a request can hold one of our signatures at all. */
export function mayHoldSeal(raw: Uint8Array): boolean {
  return Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).includes(mark)
}
