export * from './fault.ts'
export { tooMany } from './too-many.ts'
