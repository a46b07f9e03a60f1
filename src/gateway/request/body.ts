import { invalid, invalidField } from '#kernel/errors'
import { readJson } from '#kernel/http'
import { checkModelName } from '../catalog/registry.ts'
import { isAbsent, isObject } from '../wire/json.ts'
import type { ClientBody, ClientRequest } from '../api.ts'

const metadataLimit = 16 * 1024

/** Read first, so that whatever else is wrong with a request, it is logged under its model. */
export function readBody(sent: unknown): ClientBody {
  // Without a body and a content type nothing has read one.
  const raw = sent instanceof Uint8Array ? sent : new Uint8Array()
  const body = parseObject(raw)
  const model = body['model'] ?? firstOf(body['models'])
  if (isAbsent(model)) return { raw, body, model: '' }
  if (typeof model !== 'string' || model === '')
    throw invalidField('model', 'is required and must be a string')
  checkModelName(model)
  return { raw, body, model }
}

/** Reads the fields that all APIs share; `user` has this name in two of three. */
export function readSettings({ raw, body, model }: ClientBody): ClientRequest {
  const { stream, user } = body
  if (!isOneOf(stream, 'boolean')) throw invalidField('stream', 'must be true or false')
  if (!isOneOf(user, 'string')) throw invalidField('user', 'must be a string')
  return {
    raw,
    body,
    model,
    isStream: stream === true,
    userLabel: typeof user === 'string' ? user.slice(0, 256) : null,
    metadata: readMetadata(body['metadata']),
  }
}

/** OpenRouter's clients may name only a list. */
const firstOf = (models: unknown): unknown => (Array.isArray(models) ? models[0] : undefined)

function parseObject(raw: Uint8Array): ClientBody['body'] {
  const value = readJson(raw)
  if (isObject(value)) return value
  throw invalid('The body must be a JSON object.')
}

function readMetadata(value: unknown): ClientRequest['metadata'] {
  if (isAbsent(value)) return null
  if (!isObject(value)) throw invalidField('metadata', 'must be an object')
  if (Buffer.byteLength(JSON.stringify(value)) > metadataLimit)
    throw invalidField('metadata', 'may hold at most 16 KiB')
  return value
}

const isOneOf = (value: unknown, type: 'boolean' | 'string'): boolean =>
  isAbsent(value) || typeof value === type
