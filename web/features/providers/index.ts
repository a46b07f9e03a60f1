/** What other pages use of the providers' pages. */
export { AddKeyForm } from './add-key-form.tsx'
export { useTestKey } from './provider-queries.ts'
export { keyInUse, providerWords, stateOfProvider, statuses } from './provider-state.ts'
export { reportTest } from './test-words.ts'
