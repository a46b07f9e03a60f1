/** Shapes of links, of why something happened and of what it cost. Browser-safe. */

export * from './shapes/cost.ts'
export * from './shapes/link.ts'
export * from './shapes/statement.ts'
export * from './shapes/thing.ts'
