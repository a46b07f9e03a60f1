import { isObject, listOf, objectOf, parseJson, textOf } from '../../providers/json.ts'
import type { JsonObject } from '../../providers/json.ts'

/**
 * What a provider wants back with the next turn and a response has no field for: the details of its reasoning, and
 * what it added to its calls. It travels in `encrypted_content` of reasoning items, which clients hand back unread.
 */
export interface Sealed {
  /** Whose it is: no other provider can make anything of it. */
  readonly provider: string
  readonly details: readonly JsonObject[]
  /** `extra_content` by the id of the call. */
  readonly extras: ReadonlyMap<string, JsonObject>
}

/** Tells our own from what other services put there. */
export const sealMark = 'signalbox.v1.'

/** Null when there is nothing to keep. */
export function seal({ provider, details, extras }: Sealed): string | null {
  const told = new Set(details.map((detail) => detail['id']))
  // A signature of a call that stands among the details need not be kept twice.
  const others = [...extras].filter(([id]) => !told.has(id))
  if (details.length === 0 && others.length === 0) return null
  const content = { provider, details, extras: Object.fromEntries(others) }
  return sealMark + Buffer.from(JSON.stringify(content)).toString('base64url')
}

/** Undefined for what we did not seal. The content is a client's word like any other: adapters check it again. */
export function unseal(text: unknown): Sealed | undefined {
  if (typeof text !== 'string' || !text.startsWith(sealMark)) return undefined
  const content = parseJson(Buffer.from(text.slice(sealMark.length), 'base64url').toString())
  if (!isObject(content)) return undefined
  const extras = new Map<string, JsonObject>()
  for (const [id, extra] of Object.entries(objectOf(content['extras']))) extras.set(id, objectOf(extra))
  return {
    provider: textOf(content['provider']),
    details: listOf(content['details']).filter(isObject),
    extras,
  }
}

/** Adds a piece of streamed reasoning; pieces of one text become one. */
export function joinDetail(details: JsonObject[], piece: JsonObject): void {
  const last = details.at(-1)
  const key = piece['type'] === 'reasoning.text' ? 'text' : 'summary'
  const isMore =
    last !== undefined &&
    typeof piece[key] === 'string' &&
    typeof last[key] === 'string' &&
    piece['index'] !== undefined &&
    last['type'] === piece['type'] &&
    last['index'] === piece['index']
  if (!isMore) details.push(piece)
  else details[details.length - 1] = { ...last, ...piece, [key]: textOf(last[key]) + textOf(piece[key]) }
}
