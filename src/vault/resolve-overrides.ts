import { invalidField } from '#kernel/errors'
import type { ProviderDirectory } from './deps.ts'

type FindKey = (groupId: string, keyId: string) => Promise<{ providerId: string } | undefined>

/** The overrides of an API key by the ids of the providers; each must name a key of the group for its provider. */
export async function resolveOverrides(
  providers: ProviderDirectory,
  findKey: FindKey,
  groupId: string,
  overrides: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const resolved = new Map<string, string>()
  for (const [word, keyId] of Object.entries(overrides)) {
    const path = `provider_key_overrides.${word}`
    const id = providers.resolveId(groupId, word)
    if (id === undefined) throw invalidField(path, 'is not a provider of this group')
    if (resolved.has(id)) throw invalidField(path, 'names a provider that already has an override')
    const key = await findKey(groupId, keyId)
    if (key?.providerId !== id)
      throw invalidField(path, 'must be the ID of a key of this group for the provider')
    resolved.set(id, keyId)
  }
  return Object.fromEntries(resolved)
}
