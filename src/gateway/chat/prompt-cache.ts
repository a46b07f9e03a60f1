import type { JsonObject } from '../wire/json.ts'
import { optionalString } from '../wire/request-json.ts'

export const promptCacheFields = ['prompt_cache_key', 'prompt_cache_retention'] as const

/**
 * Agents say with these fields that their prompt will come again. OpenAI's cache works unasked; where one wants to be
 * asked, this is the asking, and leaving it out would cost ten times as much for a long conversation.
 */
export function promptCacheControl(body: JsonObject): { type: 'ephemeral'; ttl?: '1h' } | undefined {
  const key = optionalString(body['prompt_cache_key'], 'prompt_cache_key') ?? ''
  const retention = optionalString(body['prompt_cache_retention'], 'prompt_cache_retention') ?? ''
  if (retention === '24h') return { type: 'ephemeral', ttl: '1h' }
  return key === '' && retention === '' ? undefined : { type: 'ephemeral' }
}
