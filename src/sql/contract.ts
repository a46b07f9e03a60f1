/** Shapes of the SQL proxy. Browser-safe. */

export { dataEngineerPolicy, policySchema, type Policy } from './policy/policy.ts'
