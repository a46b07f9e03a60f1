/** Shapes of the webhook routes. Browser-safe. */

export * from './shapes/delivery.ts'
export * from './shapes/generic.ts'
export * from './shapes/hook.ts'
