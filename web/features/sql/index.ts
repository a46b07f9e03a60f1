/** What other pages use of the SQL pages. */
export { DecideForm } from './approvals/decide-form.tsx'
export { EvidenceCard } from './approvals/evidence-card.tsx'
export { DecisionBar } from './console/decision-bar.tsx'
export { approvalQuery, explanationQuery } from './sql-queries.ts'
export { approvalNames, approvalTones } from './sql-words.ts'
export { StatementText } from './statement-text.tsx'
