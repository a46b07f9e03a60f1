export type { Followed, LogPage } from './reader.ts'
export { appendToLog, readLog, type LogEvent, type LogTables } from './store.ts'
export { LogStreams } from './streams.ts'
