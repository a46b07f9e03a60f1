import { invalidField } from '#kernel/errors'
import { noteDropped } from '../../chat/fields.ts'
import { bufferOf, isAbsent, type JsonObject } from '../../wire/json.ts'
import { optionalString, requireObject } from '../../wire/request-json.ts'
import type { CachePlace, Provider } from '../../provider.ts'
import type { ClientRequest } from '../../api.ts'
import type { CacheContext, ChatPart } from './context.ts'

/** The `cache_control` of a block, where the provider takes one there; elsewhere it is noted as dropped. */
export function cacheControlOf(
  holder: JsonObject,
  path: string,
  place: CachePlace | undefined,
  context: CacheContext,
) {
  const value = holder['cache_control']
  if (isAbsent(value)) return undefined
  if (place === undefined || !context.cachePlaces.includes(place)) {
    context.dropped.add('cache_control')
    return undefined
  }
  const field = path === '' ? 'cache_control' : `${path}.cache_control`
  const { type, ttl: lifetime, ...more } = requireObject(value, field)
  if (type !== 'ephemeral') throw invalidField(`${field}.type`, 'must be ephemeral')
  const ttl = optionalString(lifetime, `${field}.ttl`)
  const others = Object.entries(more).map(([name, each]) => [`cache_control.${name}`, each])
  noteDropped(Object.fromEntries(others), new Set(), context.dropped)
  return ttl === undefined ? { type } : { type, ttl }
}

/** A block's `cache_control` goes on the last of its parts, if that is a text that is not blank. */
export function withCacheControl<Part extends ChatPart>(
  parts: readonly Part[],
  block: JsonObject,
  path: string,
  context: CacheContext,
): Part[] {
  const last = parts.at(-1)
  const isText = last?.type === 'text' && last.text.trim() !== ''
  const control = cacheControlOf(block, path, isText ? 'text' : undefined, context)
  return last && control ? [...parts.slice(0, -1), { ...last, cache_control: control }] : [...parts]
}

/** Where `cache_control` may go in the chat request; nowhere when the client's request has none. */
export function placesFor({ raw, model }: ClientRequest, provider: Provider): readonly CachePlace[] {
  const places = provider.cachePlaces?.(model) ?? []
  return places.length > 0 && bufferOf(raw).includes('"cache_control"') ? places : []
}
