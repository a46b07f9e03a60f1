/** Shapes of initiatives and what belongs to them. Browser-safe. */

export * from './shapes/artifact.ts'
export * from './shapes/cost.ts'
export * from './shapes/criterion.ts'
export * from './shapes/decision.ts'
export * from './shapes/finding.ts'
export * from './shapes/initiative.ts'
export * from './shapes/link.ts'
export * from './shapes/question.ts'
