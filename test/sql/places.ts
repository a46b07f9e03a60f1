import { readSources, isTest, type Sources } from '../architecture/source.ts'

/** A line of the source that sends SQL. */
export interface Place {
  file: string
  line: number
}

// A call of `execute` with a function only opens a transaction.
const sends = /\.query[<(]|\.execute(?:TakeFirst(?:OrThrow)?)?\([\w.]*\)/
const declares = /^(?:export )?(?:async )?(?:function\*? |const )(\w+)/

/** The kernel lends connections and runs what it is handed; its few own statements concern no table of a part. */
const isRead = (file: string): boolean =>
  !isTest(file) && !file.startsWith('src/kernel/') && !speaksToOthers.test(file)

/**
 * The rooms of the SQL proxy that speak to the databases of the agents, and the demo's shop, which is such a database;
 * stores of our own tables are read.
 */
const speaksToOthers =
  /^src\/cli\/demo\/shop-database\.ts$|^src\/sql\/(?:copy|run|evidence|migrate|undo|database|story|policy)\/(?!.*-store\.ts$)/

export function readProduct(): Sources {
  return new Map([...readSources('src/**/*.ts')].filter(([file]) => isRead(file)))
}

export function placesIn(sources: Sources): Place[] {
  return [...sources].flatMap(([file, text]) =>
    text.split('\n').flatMap((line, index) => (sends.test(line) ? [{ file, line: index + 1 }] : [])),
  )
}

/** The declaration at the top level of the file that the line belongs to. */
export function declarationAt(sources: Sources, { file, line }: Place): string {
  const lines = (sources.get(file) ?? '').split('\n').slice(0, line)
  return declares.exec(lines.findLast((each) => declares.test(each)) ?? '')?.[1] ?? ''
}
