import { principalOf } from '#kernel/http'
import type { Api, ClientRequest } from '../api.ts'
import { isObject } from '../wire/json.ts'
import type { Asking } from './client.ts'
import type { LimitedCall } from './limits.ts'
import type { OpenEntry } from './meter.ts'
import { tagsOf } from './tags.ts'

/** What limits need to know of a call to a provider. */
export function limitedCall(
  request: Asking,
  entry: Pick<OpenEntry, 'requestId' | 'startedAt' | 'groupId' | 'apiKeyId' | 'userLabel' | 'metadata'>,
  target: { provider: string; model: string },
  { path }: Pick<Api, 'path'>,
  { raw, body }: Pick<ClientRequest, 'raw' | 'body'>,
): LimitedCall {
  return {
    requestId: entry.requestId,
    startedAt: entry.startedAt,
    groupId: entry.groupId,
    apiKeyId: entry.apiKeyId,
    userId: principalOf(request).user?.id ?? null,
    userLabel: entry.userLabel,
    tags: tagsOf(entry.metadata),
    ...target,
    inputBytes: inputBytes(raw, body),
    maxOutputTokens: maxOutputTokens(path, body),
    choices: isCount(body['n']) ? Math.min(body['n'], 128) : 1,
  }
}

/**
 * Only the fields of the API itself: another one is dropped on the way to a provider, and a request could name a length
 * that nobody keeps. Of two the larger, for not every provider prefers the same.
 */
function maxOutputTokens(path: string, body: Readonly<Record<string, unknown>>): number | null {
  let most: number | null = null
  for (const name of lengthFields(path)) {
    const count = body[name]
    if (isCount(count) && (most === null || count > most)) most = count
  }
  return most
}

const fields = {
  responses: ['max_output_tokens'],
  messages: ['max_tokens'],
  chat: ['max_completion_tokens', 'max_tokens'],
}

function lengthFields(path: string): readonly string[] {
  if (path.startsWith('/v1/responses')) return fields.responses
  return path.startsWith('/v1/messages') ? fields.messages : fields.chat
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0

/** Below this size the bytes are the text, more or less. */
const smallBytes = 16 * 1024
/** What a picture or another file counts for, however many bytes it has: about 1,500 tokens. */
const fileBytes = 6 * 1024
/** What is written in the letters of base64 for so long is a file. Text has blanks, or other letters than these. */
const fileFrom = 2_000
const encoded = /^[A-Za-z0-9+/=_-]*$/

/** The size of the text: a picture of a megabyte is not a quarter of a million tokens. */
function inputBytes(raw: Uint8Array, body: Readonly<Record<string, unknown>>): number {
  return raw.length <= smallBytes ? raw.length : raw.length - excessIn(body, 0)
}

const maxDepth = 12

function excessIn(value: unknown, depth: number): number {
  if (typeof value === 'string')
    return value.length > fileFrom && encoded.test(value.slice(100, fileFrom))
      ? Math.max(0, value.length - fileBytes)
      : 0
  if (depth > maxDepth) return 0
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + excessIn(each, depth + 1), 0)
  if (!isObject(value)) return 0
  let sum = 0
  for (const name in value) sum += excessIn(value[name], depth + 1)
  return sum
}
