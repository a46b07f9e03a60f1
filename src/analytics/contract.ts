/** Shapes of the analytics routes. Browser-safe. */

export * from './shapes/deployments.ts'
export * from './shapes/devlogs.ts'
export * from './shapes/health.ts'
export * from './shapes/period.ts'
export * from './shapes/summary.ts'
export * from './shapes/tickets.ts'
export * from './shapes/velocity.ts'
