import { addressReader, on, text, word, type AddressOf } from '../../ui/address.ts'

export const keyStates = ['active', 'expired', 'revoked'] as const
export type KeyState = (typeof keyStates)[number]

export const readKeysAddress = addressReader({
  q: text,
  state: word(keyStates),
  /** The dialog for a new key is open. */
  new: on,
  /** The key that the reader is asked about before it is revoked. */
  revoke: text,
})
export type KeysAddress = AddressOf<typeof readKeysAddress>
