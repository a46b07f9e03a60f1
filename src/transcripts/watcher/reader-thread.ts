import { serveThread } from '#kernel/thread'
import { readSegment, type ReadRequest, type ReadResult } from './read/index.ts'

serveThread<unknown, ReadRequest, ReadResult>(async (request) => ({ response: await readSegment(request) }))
