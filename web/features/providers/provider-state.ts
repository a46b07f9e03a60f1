import type { Provider, ProviderKey } from '#vault/contract'
import type { Status } from '../../ui/status-dot.tsx'
import { keysOf } from '../../api/providers.ts'

type KeyState = 'off' | 'unused' | 'working' | 'failed'
type ProviderState = KeyState | 'none' | 'disabled'

export function stateOfKey(key: ProviderKey): KeyState {
  if (!key.is_active) return 'off'
  if (hasFailedLast(key)) return 'failed'
  return key.last_used_at === null ? 'unused' : 'working'
}

/** An error from before the last successful request no longer counts. */
export function hasFailedLast({ last_error_at, last_used_at }: ProviderKey): boolean {
  if (last_error_at === null) return false
  return last_used_at === null || Date.parse(last_error_at) >= Date.parse(last_used_at)
}

/** The key the gateway uses: the default key, or else the oldest active one. */
export function keyInUse(provider: Provider): ProviderKey | undefined {
  const active = keysOf(provider)
    .filter((key) => key.is_active)
    .sort((one, other) => one.created_at.localeCompare(other.created_at))
  return active.find((key) => key.is_default) ?? active[0]
}

/** The state of a provider is the state of the key it is called with. */
export function stateOfProvider(provider: Provider): ProviderState {
  if (!provider.is_active) return 'disabled'
  const key = keyInUse(provider)
  if (key) return stateOfKey(key)
  return keysOf(provider).length === 0 ? 'none' : 'off'
}

export const statuses: Record<ProviderState, Status> = {
  none: 'off',
  off: 'off',
  disabled: 'off',
  unused: 'off',
  working: 'ok',
  failed: 'error',
}

export const keyWords: Record<KeyState, string> = {
  off: 'Inactive',
  unused: 'Not used yet',
  working: 'Working',
  failed: 'Last request failed',
}

export const providerWords: Record<ProviderState, string> = {
  ...keyWords,
  off: 'All keys inactive',
  none: 'No keys',
  disabled: 'Disabled',
}

/** Added by an owner of this group, who may also remove it. */
export const isCustom = (provider: Provider): boolean => provider.is_custom
export const hasModelSync = (provider: Provider): boolean => provider.spec_name === 'aggregator'
