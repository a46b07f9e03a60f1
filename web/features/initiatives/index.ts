/** What other pages use of the initiatives. */
export { ConfidenceBar } from './confidence-bars.tsx'
export { initiativeQuery, initiativesKey } from './initiative-queries.ts'
export { categoryNames, categoryTones } from './initiative-words.ts'
export { ConfidenceField } from './one/confidence-form.tsx'
export { CitedLink, EvidenceList } from './one/evidence-list.tsx'
