export { UsageError, write, type Command, type CommandArguments } from './command.ts'
export { table } from './table.ts'
export { withDatabase, type CommandKernel } from './with-database.ts'
