import type { JsonObject } from '../wire/json.ts'
import { optionalString } from '../wire/request-json.ts'

export const promptCacheFields = ['prompt_cache_key', 'prompt_cache_retention'] as const

/**
 * Agents send these fields for prompts that they will send again. OpenAI caches automatically; other providers cache
 * only on request, and without it a long conversation costs ten times as much.
 */
export function promptCacheControl(body: JsonObject): { type: 'ephemeral'; ttl?: '1h' } | undefined {
  const key = optionalString(body['prompt_cache_key'], 'prompt_cache_key') ?? ''
  const retention = optionalString(body['prompt_cache_retention'], 'prompt_cache_retention') ?? ''
  if (retention === '24h') return { type: 'ephemeral', ttl: '1h' }
  return key === '' && retention === '' ? undefined : { type: 'ephemeral' }
}
