/** What other pages use of the SQL pages. */
export { DecisionBar } from './console/decision-bar.tsx'
export { explanationQuery } from './sql-queries.ts'
