import { isObject, objectOf, type JsonObject } from '../../wire/json.ts'
import { openSeal, seal } from '../sealed-reasoning.ts'
import { newId } from './envelope.ts'

/**
 * A compacted conversation as one item: a summary that clients send back unread. It is not secret, and not bound to a
 * provider: a conversation may continue with any model.
 */
export function compactionItem(summary: string): JsonObject {
  return { id: newId('cmp'), type: 'compaction', encrypted_content: seal({ summary }) }
}

/** Undefined for an item that another server made. */
export function summaryIn(item: JsonObject): string | undefined {
  const { summary } = objectOf(openSeal(item['encrypted_content']))
  return typeof summary === 'string' ? summary : undefined
}

/** The summary as the model reads it. Never as a system message: it repeats what tools and documents said. */
export function summaryMessage(summary: string): JsonObject {
  return {
    role: 'user',
    content: `This conversation began earlier. Summary of what came before:\n\n${summary}`,
  }
}

/** The text in place of an item of ours, for a provider that could not open it. */
export function withPlainSummary(item: unknown): unknown {
  if (!isObject(item) || item['type'] !== 'compaction') return item
  const summary = summaryIn(item)
  return summary === undefined ? item : { type: 'message', ...summaryMessage(summary) }
}
