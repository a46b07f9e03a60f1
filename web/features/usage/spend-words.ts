import type { SpendDimension } from '#usage/contract'
import { modelName } from '../../ui/model-name.ts'
import { providerName } from '../../ui/provider-name.ts'

/** What spend can be split by here: the groups that the reader owns are asked for in another way. */
export type Split = SpendDimension | 'group'

export const splitNames: Record<Split, string> = {
  api_key: 'API key',
  person: 'Person',
  user: 'User',
  provider_key: 'Provider key',
  route: 'Route',
  tag: 'Tag',
  model: 'Model',
  provider: 'Provider',
  group: 'Group',
}

const withoutOne: Record<Split, string> = {
  api_key: 'Playground',
  person: 'Playground',
  user: 'Without a user',
  provider_key: 'Without a provider key',
  route: 'Without a route',
  tag: 'Without a tag',
  model: 'No model',
  provider: 'No provider',
  group: 'No group',
}

/** These have sums of their own, which know no other filter than the days. */
export const ignoresFilters = (by: Split): boolean =>
  ['user', 'provider_key', 'route', 'tag', 'group'].includes(by)

/** What a row is called. Keys and people may be deleted: only their ids are left. */
export function splitName(by: Split, { id, name }: { id: string | null; name: string | null }): string {
  if (id === null) return withoutOne[by]
  if (by === 'model') return modelName(id)
  if (by === 'provider') return providerName(id)
  if (name !== null) return name
  return by === 'person' ? 'Somebody who left' : `deleted key ${id.slice(0, 8)}`
}
