import { Fault, faults } from '#kernel/errors'
import type { Log } from '#kernel/log'
import { checkText } from './check-text.ts'
import {
  ClassificationFault,
  type ClassifiedStatement,
  type Classifier,
  type Kind,
} from './classification.ts'
import { createParser, type Parsed } from './parser.ts'
import { createQueue } from './queue.ts'
import { withoutPlace, withoutSecrets } from './secrets.ts'

export interface ClassifierOptions {
  log: Log
  threads?: number
  idleMs?: number
  /** How long reading one text may take. */
  limitMs?: Record<Kind, number>
  /** Calls that may wait for a thread. */
  maxWaiting?: number
}

const shortText = 4096

/** PostgreSQL's grammar in threads, which start at the first call and are replaced when a text breaks them. */
export function createClassifier({
  log,
  threads = 2,
  idleMs = 300_000,
  limitMs = { execute: 250, migrate: 2000 },
  maxWaiting = 1000,
}: ClassifierOptions): Classifier {
  const parsers = Array.from({ length: threads }, () => createParser({ idleMs }))
  const queue = createQueue(parsers, maxWaiting)
  return {
    async classify(sql, kind) {
      checkText(sql, kind)
      // On a busy machine even a short text may wait for the processor; it cannot take long to read.
      const limit = sql.length <= shortText ? limitMs.migrate : limitMs[kind]
      const parsed = await queue.run((parser) => parser.parse(sql, limit))
      if (parsed === undefined)
        throw new Fault(faults.unavailable, 'Too many statements wait to be read. Retry later.', {
          headers: { 'retry-after': '1' },
        })
      if (parsed.outcome === 'broken') log.warn({ reason: parsed.message }, 'a text broke the SQL parser')
      return statementsOf(parsed, sql, limit)
    },
    async close() {
      await Promise.all(parsers.map((parser) => parser.close()))
    },
  }
}

function statementsOf(parsed: Parsed, sql: string, limitMs: number): ClassifiedStatement[] {
  if (parsed.outcome === 'read') return parsed.statements
  const safeText = withoutSecrets(sql)
  if (parsed.outcome === 'syntax')
    throw new ClassificationFault('syntax', withoutPlace(parsed.message, sql), {
      position: parsed.position,
      safeText,
    })
  if (parsed.outcome === 'broken')
    throw new ClassificationFault('refused_text', 'sql is nested too deeply to be checked.', { safeText })
  const message = `The statement cannot be checked: reading it takes longer than ${limitMs} ms.`
  throw new ClassificationFault('parser_timeout', message, { safeText })
}
