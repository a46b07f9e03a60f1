import { countOf, objectOf, stringOf } from '../json.ts'
import type { RecordContext } from './context.ts'
import { emitUserText } from './user-record.ts'

/** Figures of the program that no reader of a conversation misses. */
const silent = new Set(['turn_duration', 'stop_hook_summary', 'bridge_status', 'turn_usage'])

export function readSystem(context: RecordContext): void {
  const { record, changes, sessionKey, emit } = context
  const subtype = stringOf(record['subtype']) ?? ''
  if (silent.has(subtype)) return
  const key = stringOf(record['uuid']) ?? `system:${changes.position}`
  const content = stringOf(record['content'])
  if (subtype === 'compact_boundary')
    emit({ key, role: 'system', kind: 'summary', origin: 'injected', content: compactionText(context) })
  else if (subtype === 'api_error')
    emit({
      key,
      role: 'system',
      kind: 'text',
      origin: 'injected',
      content: errorText(context),
      isError: true,
    })
  else if (subtype === 'local_command' && content !== undefined) emitUserText(context, key, content)
  else if (content !== undefined) {
    const kind = subtype === 'away_summary' ? 'summary' : 'text'
    emit({ key, role: 'system', kind, origin: 'injected', content, ...errorOf(record['level']) })
  } else changes.unknown(sessionKey, `system record of subtype ${subtype}`)
}

function errorOf(level: unknown): { isError?: true } {
  return level === 'error' ? { isError: true } : {}
}

function compactionText({ record }: RecordContext): string {
  const { trigger, preTokens, postTokens } = objectOf(record['compactMetadata'])
  const figures = [preTokens, postTokens].map(countOf).filter((count) => count > 0)
  const how = trigger === 'auto' ? 'automatically' : 'on request'
  return `Conversation compacted ${how}${figures.length > 0 ? ` (${figures.join(' → ')} tokens)` : ''}`
}

function errorText({ record }: RecordContext): string {
  const error = objectOf(record['error'])
  const message =
    stringOf(objectOf(objectOf(error['error'])['error'])['message']) ??
    stringOf(objectOf(error['error'])['message']) ??
    stringOf(error['message']) ??
    stringOf(error['formatted']) ??
    stringOf(record['content']) ??
    'API error'
  const status = countOf(error['status'])
  return status > 0 ? `${status}: ${message}` : message
}
