import { addressReader, trimmed, word, type AddressOf } from '../../ui/address.ts'

export const readSearchAddress = addressReader({
  /** The query. */
  q: trimmed,
  /** Only these kinds, separated by commas. */
  kinds: trimmed,
  /** `kinds`: grouped by kind instead of best match first. */
  view: word(['kinds']),
})
export type SearchAddress = AddressOf<typeof readSearchAddress>

export const kindsOf = ({ kinds }: SearchAddress): string[] => kinds?.split(',').filter(Boolean) ?? []
