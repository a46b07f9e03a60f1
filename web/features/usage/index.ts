/** What other pages may use of this one. */
export { PriceDialog } from './price-dialog.tsx'
export { inForceText, priceSources } from './price-words.ts'
