import { invalidField } from '#kernel/errors'
import { noteDropped } from '../../chat/fields.ts'
import { bufferOf, isAbsent, type JsonObject } from '../../wire/json.ts'
import { optionalString, requireObject } from '../../wire/request-json.ts'
import type { CachePlace, Provider } from '../../provider.ts'
import type { ClientRequest } from '../../api.ts'
import type { ChatPart } from './parts.ts'

export interface Marking {
  /** Where the chat requests of the provider take a mark for the cache. */
  readonly cachePlaces: readonly CachePlace[]
  readonly dropped: Set<string>
}

/** The mark on something, where the provider takes one there; without a place for it, it is noted as left out. */
export function markOf(holder: JsonObject, path: string, place: CachePlace | undefined, how: Marking) {
  const value = holder['cache_control']
  if (isAbsent(value)) return undefined
  if (place === undefined || !how.cachePlaces.includes(place)) {
    how.dropped.add('cache_control')
    return undefined
  }
  const field = path === '' ? 'cache_control' : `${path}.cache_control`
  const { type, ttl: lifetime, ...more } = requireObject(value, field)
  if (type !== 'ephemeral') throw invalidField(`${field}.type`, 'must be ephemeral')
  const ttl = optionalString(lifetime, `${field}.ttl`)
  const others = Object.entries(more).map(([name, each]) => [`cache_control.${name}`, each])
  noteDropped(Object.fromEntries(others), new Set(), how.dropped)
  return ttl === undefined ? { type } : { type, ttl }
}

/** A mark stands behind all that its block holds: on the last part, if that is a text that says something. */
export function marked<Part extends ChatPart>(
  parts: readonly Part[],
  block: JsonObject,
  path: string,
  how: Marking,
): Part[] {
  const last = parts.at(-1)
  const isText = last?.type === 'text' && last.text.trim() !== ''
  const mark = markOf(block, path, isText ? 'text' : undefined, how)
  return last && mark ? [...parts.slice(0, -1), { ...last, cache_control: mark }] : [...parts]
}

/** Where the marks of a request may stand; nowhere in one that holds none. */
export function placesFor({ raw, model }: ClientRequest, provider: Provider): readonly CachePlace[] {
  const places = provider.cachePlaces?.(model) ?? []
  return places.length > 0 && bufferOf(raw).includes('"cache_control"') ? places : []
}
