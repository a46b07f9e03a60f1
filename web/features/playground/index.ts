/** What other pages may use of this one. */
export { snippetsFor } from './snippets.ts'
