import { addressReader, word, type AddressOf } from '../../ui/address.ts'

/** The tab; absent for the first one. */
export const readEmbeddingsAddress = addressReader({ view: word(['compare', 'state']) })
export type EmbeddingsAddress = AddressOf<typeof readEmbeddingsAddress>
