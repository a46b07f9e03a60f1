export { appendToLog, readLog, type LogEvent, type LogTables } from './store.ts'
export { LogStreams, type Followed, type LogPage } from './streams.ts'
