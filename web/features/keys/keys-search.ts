export const keyStates = ['active', 'expired', 'revoked'] as const
export type KeyState = (typeof keyStates)[number]

export interface KeysSearch {
  q?: string
  state?: KeyState
  /** The dialog for a new key is open. */
  new?: true
}

/** The search parameters of the page; unknown ones are dropped. */
export function readKeysSearch(search: Record<string, unknown>): KeysSearch {
  const state = keyStates.find((candidate) => candidate === search['state'])
  return {
    ...(typeof search['q'] === 'string' && search['q'] !== '' ? { q: search['q'] } : {}),
    ...(state ? { state } : {}),
    ...(search['new'] === true ? { new: true } : {}),
  }
}
