export { machineName, watchedEntries } from './entries.ts'
export { createHttpSink } from './http-sink.ts'
export { readSegment } from './read/index.ts'
export { createWatcher, type Watcher } from './watcher.ts'
