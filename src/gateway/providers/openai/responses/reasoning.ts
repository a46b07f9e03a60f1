import { arrayOf, isAbsent, isObject, objectOf, stringOf, type JsonObject } from '../../../wire/json.ts'
import { optionalArray } from '../../../wire/request-json.ts'

/** Marks details as ours to send back; those of another maker's models mean nothing here. */
export const reasoningFormat = 'openai-responses-v1'

/**
 * Reasoning items for the client: the summary to read, the encrypted content to hand back. `index` separates the
 * parts for clients that join the pieces of a stream, `id` says which item a part belongs to.
 */
export function reasoningDetails(item: JsonObject, firstIndex: number): JsonObject[] {
  const shared = { id: item['id'] ?? null, format: reasoningFormat }
  const details: JsonObject[] = summariesOf(item).map((summary) => ({
    type: 'reasoning.summary',
    summary,
    ...shared,
  }))
  if (typeof item['encrypted_content'] === 'string') {
    details.push({ type: 'reasoning.encrypted', data: item['encrypted_content'], ...shared })
  }
  return details.map((detail, place) => ({ ...detail, index: firstIndex + place }))
}

export function summariesOf(item: JsonObject): string[] {
  return arrayOf(item['summary']).map((part) => stringOf(objectOf(part)['text']))
}

/** Reasoning items rebuilt from details. Without its encrypted content an item that was never stored is unknown. */
export function reasoningItems(details: unknown, path: string): JsonObject[] {
  const groups = new Map<string, JsonObject[]>()
  const heads = new Map<unknown, JsonObject>()
  for (const given of (optionalArray(details, path) ?? []).filter(isObject)) {
    // Pieces of a stream after the first do not repeat whose they are.
    const isPiece = isAbsent(given['id']) && isAbsent(given['format'])
    const detail = isPiece ? { ...given, ...heads.get(given['index']) } : given
    if (!isOurs(detail)) continue
    const id = stringOf(detail['id'])
    if (!isAbsent(given['index'])) heads.set(given['index'], { id: detail['id'], format: detail['format'] })
    groups.set(id, [...(groups.get(id) ?? []), detail])
  }
  return [...groups].flatMap(([id, group]) => {
    const encrypted = group.map((detail) => stringOf(detail['data'])).join('')
    if (encrypted === '') return []
    const summary = joinedSummaries(group).map((text) => ({ type: 'summary_text', text }))
    return [{ type: 'reasoning', ...(id === '' ? {} : { id }), summary, encrypted_content: encrypted }]
  })
}

function isOurs(detail: JsonObject): boolean {
  return detail['format'] === reasoningFormat || stringOf(detail['id']).startsWith('rs_')
}

/** A client may hand back every delta of a streamed summary separately; those with one index are one text. */
function joinedSummaries(group: readonly JsonObject[]): string[] {
  const texts = new Map<unknown, string>()
  for (const detail of group) {
    if (detail['type'] !== 'reasoning.summary') continue
    texts.set(detail['index'], (texts.get(detail['index']) ?? '') + stringOf(detail['summary']))
  }
  return [...texts.values()]
}
