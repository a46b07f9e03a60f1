import { Fault, faults } from '#kernel/errors'
import type { Log } from '#kernel/log'
import { createFairQueue } from '../fair-queue.ts'
import {
  ClassificationFault,
  type ClassifiedStatement,
  type Classifier,
  type Kind,
} from './classification.ts'
import { createParser, type Parsed } from './parser.ts'
import { withoutPlace, withoutSecrets } from './secrets.ts'
import { commentDepth } from './lexer.ts'

export interface ClassifierOptions {
  log: Log
  threads?: number
  idleMs?: number
  /** How long reading one text may take. */
  limitMs?: Record<Kind, number>
  /** Calls of one owner that may wait for a thread, and how long. */
  maxWaiting?: number
  waitMs?: number
}

const shortText = 4096

/** PostgreSQL's grammar in threads, which start at the first call and are replaced when a text breaks them. */
export function createClassifier({
  log,
  threads = 2,
  idleMs = 300_000,
  limitMs = { execute: 250, migrate: 2000 },
  maxWaiting = 1000,
  waitMs = 10_000,
}: ClassifierOptions): Classifier {
  const parsers = Array.from({ length: threads }, () => createParser({ idleMs }))
  const free = [...parsers]
  // One owner never has all threads: texts that take the parser's whole time delay nobody else's.
  const queue = createFairQueue({ places: threads, perOwner: Math.max(1, threads - 1), maxWaiting, waitMs })

  async function parse(sql: string, limit: number, owner: string): Promise<Parsed> {
    const leave = await queue.enter(owner)
    const parser = leave && free.pop()
    if (!parser) throw tooMany()
    try {
      return await parser.parse(sql, limit)
    } finally {
      free.push(parser)
      leave()
    }
  }

  return {
    async classify(sql, kind, owner = '') {
      checkText(sql, kind)
      // On a busy machine even a short text may wait for the processor; it cannot take long to read.
      const limit = sql.length <= shortText ? limitMs.migrate : limitMs[kind]
      const parsed = await parse(sql, limit, owner)
      if (parsed.outcome === 'broken') log.warn({ reason: parsed.message }, 'a text broke the SQL parser')
      return statementsOf(parsed, sql, limit)
    },
    async close() {
      await Promise.all(parsers.map((parser) => parser.close()))
    },
  }
}

const tooMany = (): Fault =>
  new Fault(faults.unavailable, 'Too many statements wait to be read. Retry later.', {
    headers: { 'retry-after': '1' },
  })

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

/** What a text may have, in bytes of UTF-8. */
const maxBytes: Record<Kind, number> = { execute: 64 * 1024, migrate: 1024 * 1024 }

/** The parser's time grows with the square of the depth: 40,000 levels take seconds. */
const maxCommentDepth = 100

/**
 * Refuses what must not reach the parser. It reads C strings, so U+0000 would hide the rest of the text from it;
 * half a surrogate pair would reach the server as another character.
 */
function checkText(sql: string, kind: Kind): void {
  const bytes = Buffer.byteLength(sql)
  if (bytes > maxBytes[kind])
    throw refused(`sql must have at most ${maxBytes[kind]} bytes; it has ${bytes}.`, sql)
  const nul = sql.indexOf('\0')
  if (nul !== -1) throw refused('sql must not contain U+0000.', sql, nul)
  if (!sql.isWellFormed()) throw refused('sql must not contain half of a surrogate pair.', sql)
  if (mayNest(sql) && commentDepth(sql) > maxCommentDepth)
    throw refused(`sql must not nest comments deeper than ${maxCommentDepth} levels.`, sql)
}

/** Few texts open that many comments, even counting those in quotes. */
function mayNest(sql: string): boolean {
  let count = 0
  for (let at = sql.indexOf('/*'); at !== -1; at = sql.indexOf('/*', at + 1)) count += 1
  return count > maxCommentDepth
}

function refused(message: string, sql: string, position?: number): ClassificationFault {
  return new ClassificationFault('refused_text', message, {
    ...(position === undefined ? {} : { position }),
    safeText: sql.toWellFormed().replaceAll('\0', '\u{fffd}'),
  })
}
