/** Shapes of alerts. Browser-safe. */

export * from './config.ts'
export * from './shapes.ts'
