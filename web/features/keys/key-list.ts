import type { ApiKey } from '#access/contract'
import { keyStates, type KeyState } from './keys-address.ts'

const soon = 7 * 86_400_000

export function stateOf(key: ApiKey, now: number): KeyState {
  if (key.revoked_at !== null) return 'revoked'
  return key.expires_at !== null && Date.parse(key.expires_at) <= now ? 'expired' : 'active'
}

export function expiresSoon(key: ApiKey, now: number): boolean {
  return stateOf(key, now) === 'active' && key.expires_at !== null && Date.parse(key.expires_at) - now < soon
}

/** Searches the name, the visible ends of the value and the scopes. Working keys come first, then the newest. */
export function selectKeys(
  keys: readonly ApiKey[],
  words: string,
  state: KeyState | undefined,
  now: number,
): ApiKey[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const rank = (key: ApiKey) => keyStates.indexOf(stateOf(key, now))
  return keys
    .filter((key) => state === undefined || stateOf(key, now) === state)
    .filter((key) => {
      const text = [key.name, key.key_prefix, key.key_suffix, ...key.scopes].join(' ').toLowerCase()
      return wanted.every((word) => text.includes(word))
    })
    .sort((one, other) => rank(one) - rank(other) || other.created_at.localeCompare(one.created_at))
}

export function countStates(keys: readonly ApiKey[], now: number): Record<KeyState, number> {
  const counts = { active: 0, expired: 0, revoked: 0 }
  for (const key of keys) counts[stateOf(key, now)] += 1
  return counts
}
