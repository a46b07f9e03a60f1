import type { FixedPrice } from '../provider.ts'

/** Stands for a provider in the log where the server makes the vectors itself. */
export const ownProvider = 'signalbox'

/** What runs on the operator's own machine is not billed. */
export const ownPrice: FixedPrice = { inputPrice: '0', outputPrice: '0', cacheReadPrice: '0', unitPrices: {} }
