export { createLifecycle } from './lifecycle.ts'
export { partsFor, type Part } from './part.ts'
export { readinessOf } from './readiness.ts'
