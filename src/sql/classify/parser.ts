import { messageOf } from '#kernel/errors'
import { createThread } from '#kernel/thread'
import type { ParserRequest, ParserResponse } from './parser-thread.ts'

export type Parsed = ParserResponse | { outcome: 'late' }

/** One thread with the grammar. A thread that is late or broken is ended, and the next call starts another. */
export interface Parser {
  /** One call at a time. Never throws. */
  parse(sql: string, limitMs: number): Promise<Parsed>
  close(): Promise<void>
}

/** Enough for thousands of terms in one expression. */
const stackSizeMb = 16
/** Loading the grammar takes 0.1 s on an idle machine, and does not count as reading a text. */
const startMs = 20_000
/** One thread after the other: while a thread loads the grammar it changes flags of the whole process. */
let lastStart: Promise<unknown> = Promise.resolve()

export function createParser({ idleMs }: { idleMs: number }): Parser {
  const file = new URL('parser-thread.ts', import.meta.url)
  const thread = createThread<ParserRequest, ParserResponse>({ file, idleMs, stackSizeMb })

  async function ask(sql: string, limitMs: number): Promise<Parsed> {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      void thread.close()
    }, limitMs)
    try {
      const response = await thread.call({ sql })
      if (response.outcome === 'broken') await thread.close()
      return response
    } catch (error) {
      return isLate ? { outcome: 'late' } : { outcome: 'broken', message: messageOf(error) }
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    async parse(sql, limitMs) {
      const start = lastStart.then(() => ask('', startMs))
      lastStart = start
      const ready = await start
      return ready.outcome === 'read' ? ask(sql, limitMs) : ready
    },
    close: () => thread.close(),
  }
}
