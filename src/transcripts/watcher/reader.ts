import { createThread } from '#kernel/thread'
import type { ReadRequest, ReadResult } from './read/index.ts'

export interface SegmentReader {
  read(request: ReadRequest): Promise<ReadResult>
  close(): Promise<void>
}

/** Reads and masks in a thread, so that an import of gigabytes does not delay requests. */
export function createThreadReader(): SegmentReader {
  const thread = createThread<ReadRequest, ReadResult>({
    file: new URL('./reader-thread.ts', import.meta.url),
    idleMs: 10_000,
  })
  return { read: (request) => thread.call(request), close: () => thread.close() }
}
