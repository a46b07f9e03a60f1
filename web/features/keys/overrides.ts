import type { Provider, ProviderKey } from '#vault/contract'
import { providerName } from '../../ui/provider-name.ts'
import { keysOf } from '../../api/providers.ts'

/** Provider id to the id of the provider key to use. */
export type Overrides = Readonly<Record<string, string>>

interface OverrideOption {
  id: string
  label: string
}

/** A provider as the form shows it. */
export interface OverrideChoice {
  provider: string
  name: string
  /** The id of the chosen key; empty for the provider's default. */
  value: string
  options: OverrideOption[]
  warning?: string
}

/** Every provider that has keys or an override, even if its keys were deleted. */
export function overrideChoices(providers: readonly Provider[], overrides: Overrides): OverrideChoice[] {
  const set = new Map(Object.entries(overrides))
  const known = providers
    .filter((provider) => keysOf(provider).length > 0 || set.has(provider.id))
    .map((provider) => choiceOf(provider, set.get(provider.id) ?? ''))
  const unknown = bareChoices(overrides)
    .filter((choice) => !providers.some(({ id }) => id === choice.provider))
    .map((choice) => ({ ...choice, warning: 'This provider no longer exists.' }))
  return [...known, ...unknown]
}

/** What a user who may not list provider keys can see. */
export function bareChoices(overrides: Overrides): OverrideChoice[] {
  return Object.entries(overrides).map(([provider, value]) => ({
    provider,
    name: providerName(provider),
    value,
    options: [{ id: value, label: value }],
  }))
}

export function withOverride(overrides: Overrides, provider: string, keyId: string): Overrides {
  const others = Object.entries(overrides).filter(([id]) => id !== provider)
  return Object.fromEntries(keyId === '' ? others : [...others, [provider, keyId]])
}

function choiceOf(provider: Provider, override: string): OverrideChoice {
  const keys = keysOf(provider)
  // The gateway accepts ids in either case; the list has them in lower case.
  const chosen = keys.find(({ id }) => id === override.toLowerCase())
  const isLost = override !== '' && !chosen
  const warning = warningOf(isLost, chosen)
  return {
    provider: provider.id,
    name: provider.name,
    value: chosen?.id ?? override,
    options: [
      ...keys.filter((key) => key.is_active).map((key) => optionOf(provider, key)),
      ...keys.filter((key) => !key.is_active).map((key) => optionOf(provider, key)),
      ...(isLost ? [{ id: override, label: `Deleted: ${override}` }] : []),
    ],
    ...(warning === undefined ? {} : { warning }),
  }
}

function optionOf(provider: Provider, key: ProviderKey): OverrideOption {
  const account = provider.accounts.find(({ keys }) => keys.includes(key))
  const place = provider.accounts.length > 1 && account ? `${account.name}: ` : ''
  const mark = key.is_active ? '' : ' (inactive)'
  return { id: key.id, label: `${place}${key.name} …${key.key_suffix}${mark}` }
}

function warningOf(isLost: boolean, chosen: ProviderKey | undefined): string | undefined {
  if (isLost) return 'This key was deleted, so requests to the provider fail. Choose another one.'
  if (chosen?.is_active === false)
    return 'This key is inactive, so requests to the provider fail until it is activated.'
  return undefined
}
