import { Kysely, PostgresDialect, PostgresQueryCompiler } from 'kysely'
import type pg from 'pg'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** One query and the line of the source that sent it. */
export interface Recorded {
  file: string
  line: number
  sql: string
}

/** What samples call the stores with: a database that keeps the SQL and runs nothing. */
export interface Recorder {
  tables<T>(): Kysely<T>
  pool: pg.Pool
  /** The rows of the next queries, one list each. A query without an answer gets one empty row. */
  answer(...rows: object[][]): void
}

const root = `${pathToFileURL(join(import.meta.dirname, '../..')).href}/`

export function createRecorder(): Recorder & { recorded: Recorded[]; answers: object[][] } {
  const recorded: Recorded[] = []
  const answers: object[][] = []

  function record(sql: string): void {
    const [file = '', line = ''] = placeOfCaller().split(':')
    recorded.push({ file, line: Number(line), sql })
  }

  const compiler = new PostgresQueryCompiler()
  const queries = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: createPool(answers, () => undefined) }),
    plugins: [
      {
        transformQuery({ node, queryId }) {
          record(compiler.compileQuery(node, queryId).sql)
          return node
        },
        transformResult: async ({ result }) => result,
      },
    ],
  })
  return {
    tables: <T>() => queries as Kysely<T>,
    pool: createPool(answers, record),
    answer: (...rows) => void answers.push(...rows),
    recorded,
    answers,
  }
}

/** A pool whose only connection is itself, and which answers with the given rows. */
function createPool(answers: object[][], record: (sql: string) => void): pg.Pool {
  const client = {
    async query(query: string | { text: string }) {
      const text = typeof query === 'string' ? query : query.text
      record(text)
      // The kernel's own statements around a store's query take no answer away from it.
      const isOfKernel = /^(begin|start transaction|commit|rollback)|pg_(\w+_)?advisory/.test(text)
      const rows = isOfKernel ? [{ taken: true }] : (answers.shift() ?? [{}])
      return { rows, rowCount: rows.length }
    },
    connect: async () => client,
    release: () => undefined,
  } as unknown as pg.Pool
  return client
}

/** A query is built, or the pool asked, in the same turn as the caller's line: its frame is on the stack. */
function placeOfCaller(): string {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 40
  const stack = new Error('where am I').stack ?? ''
  Error.stackTraceLimit = stackTraceLimit
  const places = stack.split('\n').map((frame) => frame.split(root)[1] ?? '')
  // The kernel writes and reads an event log in tables of the part that called it.
  const place = places.find((each) => each.startsWith('src/') && !each.startsWith('src/kernel/event-log/'))
  if (place === undefined) throw new Error(`a query came from outside src:\n${stack}`)
  return place
}
