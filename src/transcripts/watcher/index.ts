export { SegmentRefused, SinkUnavailable, WatcherRefused } from './errors.ts'
export { readSegment } from './read/index.ts'
export { createWatcher, type Watcher } from './watcher.ts'
