/** Shapes of the records and their routes, and what other parts may write. Browser-safe. */

export * from './shapes/deployments.ts'
export * from './shapes/notes.ts'
export * from './shapes/services.ts'
export * from './shapes/status-page.ts'
export * from './shapes/tickets.ts'
export type * from './writer.ts'
export * as fields from './shapes/fields.ts'
