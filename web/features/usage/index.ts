/** What other pages may use of this one. */
export { inSpan, periodOf } from './period.ts'
export { forecastQuery } from './spend-queries.ts'
export { PriceDialog } from './price-dialog.tsx'
export { inForceText, priceSources } from './price-words.ts'
export { SpendByModel } from './spend-by-model.tsx'
export { PartSpend, SpendOverTime } from './spend-over-time.tsx'
export {
  DurationFigure,
  ErrorRateFigure,
  RequestsFigure,
  SpendFigure,
  type Compared,
} from './usage-figures.tsx'
