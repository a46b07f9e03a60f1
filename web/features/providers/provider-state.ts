import type { Provider, ProviderKey } from '#vault/contract'
import type { Aspect } from '../../ui/lamp.tsx'
import { keysOf } from '../../api/providers.ts'

type KeyState = 'off' | 'unused' | 'working' | 'failed'
type ProviderState = KeyState | 'none' | 'disabled'

export function stateOfKey(key: ProviderKey): KeyState {
  if (!key.is_active) return 'off'
  if (hasFailedLast(key)) return 'failed'
  return key.last_used_at === null ? 'unused' : 'working'
}

/** An error that came before the last good call is history. */
export function hasFailedLast({ last_error_at, last_used_at }: ProviderKey): boolean {
  if (last_error_at === null) return false
  return last_used_at === null || Date.parse(last_error_at) >= Date.parse(last_used_at)
}

/** The key that calls go out with, by the gateway's own rule: the default, else the oldest that is active. */
export function keyInUse(provider: Provider): ProviderKey | undefined {
  const active = keysOf(provider)
    .filter((key) => key.is_active)
    .sort((one, other) => one.created_at.localeCompare(other.created_at))
  return active.find((key) => key.is_default) ?? active[0]
}

/** How a provider stands is how the key that it is called with stands. */
export function stateOfProvider(provider: Provider): ProviderState {
  if (!provider.is_active) return 'disabled'
  const key = keyInUse(provider)
  if (key) return stateOfKey(key)
  return keysOf(provider).length === 0 ? 'none' : 'off'
}

export const aspects: Record<ProviderState, Aspect> = {
  none: 'dark',
  off: 'dark',
  disabled: 'dark',
  unused: 'caution',
  working: 'clear',
  failed: 'danger',
}

export const keyWords: Record<KeyState, string> = {
  off: 'Off',
  unused: 'Not called yet',
  working: 'Working',
  failed: 'Last call failed',
}

export const providerWords: Record<ProviderState, string> = {
  ...keyWords,
  off: 'All keys are off',
  none: 'No key',
  disabled: 'Disabled',
}

/** Added by an owner of this group, who may also remove it. */
export const isCustom = (provider: Provider): boolean => provider.spec_name === null
export const hasModelSync = (provider: Provider): boolean => provider.spec_name === 'aggregator'
