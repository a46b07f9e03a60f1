import { hash } from 'node:crypto'
import type { MessageChange, MessageKind, MessageOrigin, MessageRole } from '../assistants/index.ts'
import { blobMark } from '../segment.ts'
import { clean, cleanOrNull, maxContent, storedInput } from './text.ts'

/** The order of these lists is stored: append only. */
export const roles: readonly MessageRole[] = ['user', 'assistant', 'tool', 'system']
export const kinds: readonly MessageKind[] = [
  'text',
  'thinking',
  'tool_call',
  'tool_result',
  'image',
  'summary',
]
export const origins: readonly (MessageOrigin | null)[] = [null, 'human', 'injected']

/** A message as the database keeps it; null is what no line has said. */
export interface MessageRow {
  key: string
  place: number | null
  /** Milliseconds. */
  createdAt: number | null
  parentKey: string | null
  role: number
  kind: number
  origin: number | null
  isError: boolean | null
  isSidechain: boolean | null
  isPartial: boolean
  isCut: boolean
  model: string | null
  toolName: string | null
  callId: string | null
  image: string | null
  imageMime: string | null
  toolInput: string | null
  content: string | null
}

/**
 * Keys can be long: a hash, as hex, takes their place. The six bits that are the version and the variant of a uuid are
 * zero, so that combined with the id of a session it is one.
 */
export function hashKey(key: string): string {
  const bytes = hash('sha256', key, 'buffer')
  bytes[6] = (bytes[6] ?? 0) & 0x0f
  bytes[8] = (bytes[8] ?? 0) & 0x3f
  return bytes.toString('hex', 0, 16)
}

export function toRow(message: MessageChange): MessageRow {
  const input = message.toolInput === undefined ? null : storedInput(message.toolInput)
  const { image, content } = message
  return {
    key: hashKey(message.key),
    place: message.order ?? null,
    createdAt: message.createdAt?.getTime() ?? null,
    parentKey: message.parentKey === undefined ? null : hashKey(message.parentKey),
    role: roles.indexOf(message.role),
    kind: kinds.indexOf(message.kind),
    origin: message.origin === undefined ? null : origins.indexOf(message.origin),
    isError: message.isError ?? null,
    isSidechain: message.isSidechain ?? null,
    isPartial: message.isPartial === true,
    isCut: input?.isCut === true || (content?.length ?? 0) > maxContent,
    model: cleanOrNull(message.model, 200),
    toolName: cleanOrNull(message.toolName, 200),
    callId: cleanOrNull(message.toolCallKey, 200),
    image: image === undefined ? null : blobHash(image.data),
    imageMime: cleanOrNull(image?.mime ?? undefined, 100),
    toolInput: input?.text ?? null,
    content: content === undefined ? null : clean(content, maxContent),
  }
}

function blobHash(data: string): string | null {
  const at = data.lastIndexOf(blobMark)
  const found = at < 0 ? '' : data.slice(at + blobMark.length, at + blobMark.length + 64)
  return /^[0-9a-f]{64}$/.test(found) ? found : null
}

/** The rules of the interface: what is absent keeps its value, order and time stay, a part never replaces the whole. */
export function mergeRows(known: MessageRow, news: MessageRow): MessageRow {
  const keeps = news.content === null || (known.content !== null && !known.isPartial && news.isPartial)
  return {
    key: known.key,
    place: known.place ?? news.place,
    createdAt: known.createdAt ?? news.createdAt,
    parentKey: news.parentKey ?? known.parentKey,
    role: news.role,
    kind: news.kind,
    origin: news.origin ?? known.origin,
    isError: news.isError ?? known.isError,
    isSidechain: news.isSidechain ?? known.isSidechain,
    isPartial: keeps ? known.isPartial : news.isPartial,
    isCut: keeps && news.toolInput === null ? known.isCut : news.isCut,
    model: news.model ?? known.model,
    toolName: news.toolName ?? known.toolName,
    callId: news.callId ?? known.callId,
    image: news.image ?? known.image,
    imageMime: news.imageMime ?? known.imageMime,
    toolInput: news.toolInput ?? known.toolInput,
    content: keeps ? known.content : news.content,
  }
}
