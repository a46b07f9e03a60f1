/** Shapes of the SQL proxy. Browser-safe. */

export { dataEngineerPolicy, policySchema, storedPolicySchema, type Policy } from './policy/policy.ts'
export * from './shapes/approval.ts'
export * from './shapes/asked-by.ts'
export * from './shapes/audit.ts'
export * from './shapes/copy-trial.ts'
export * from './shapes/database.ts'
export * from './shapes/execute.ts'
export * from './shapes/explain.ts'
export * from './shapes/migrate.ts'
export * from './shapes/migration.ts'
export * from './shapes/undo.ts'
export type * from './shapes/work.ts'
