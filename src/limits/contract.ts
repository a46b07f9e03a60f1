/** Shapes of alerts. Browser-safe. */

export * from './alerts/contract.ts'
