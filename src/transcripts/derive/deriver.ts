import { createThread } from '#kernel/thread'
import type { ThreadCall, ThreadResults } from './thread-calls.ts'

export interface Deriver {
  call<K extends ThreadCall['kind']>(call: ThreadCall & { kind: K }): Promise<ThreadResults[K]>
  close(): Promise<void>
}

/** The thread starts with the first segment and ends when no session grows. */
export function createDeriver(): Deriver {
  const thread = createThread<ThreadCall, ThreadResults[keyof ThreadResults]>({
    file: new URL('thread.ts', import.meta.url),
    idleMs: 60_000,
    timeoutMs: 120_000,
  })
  return {
    call: <K extends ThreadCall['kind']>(call: ThreadCall & { kind: K }) =>
      thread.call(call) as Promise<ThreadResults[K]>,
    close: () => thread.close(),
  }
}
