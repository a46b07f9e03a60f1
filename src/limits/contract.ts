/** Shapes of limits and alerts. Browser-safe. */

export * from './alerts/contract.ts'
export * from './limit-shapes.ts'
