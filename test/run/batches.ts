import { availableParallelism } from 'node:os'

/** Files that take long have a process of their own and begin first, so that at the end no core waits for one. */
const long = [
  'test/process.test.ts',
  'test/security/matrix/matrix.test.ts',
  'test/agent-runs/waiting.test.ts',
  'src/cli/cli.test.ts',
  'test/agent-runs/queue.test.ts',
  'test/agent-runs/killed.test.ts',
  'test/stop-signals.test.ts',
  'test/browser/run-pages.test.ts',
  'test/agent-runs/runs.test.ts',
  'test/journeys/journeys.test.ts',
]

/** Loading the product takes longer than the tests of most files, so they share a process. */
const batchSize = 12

/** In the order in which they begin. */
export function allInBatches(files: readonly string[]): string[][] {
  const missing = long.filter((file) => !files.includes(file))
  if (missing.length > 0) throw new Error(`test/run/batches.ts names no file: ${missing.join(', ')}`)
  const [pages, parts] = parted(inBatches(files.filter((file) => !long.includes(file))))
  // Those of `test` take longer than those of a part.
  const others = parts.toReversed()
  // Three browsers at once would only wait for each other.
  const every = Math.ceil(others.length / pages.length)
  const spread = pages.flatMap((batch, index) => [batch, ...others.slice(index * every, (index + 1) * every)])
  return [...long.map((file) => [file]), ...spread]
}

function parted(batches: readonly string[][]): [pages: string[][], others: string[][]] {
  return [batches.filter((batch) => batch.some(isOfPages)), batches.filter((batch) => !batch.some(isOfPages))]
}

/** Files without a database load little, so that their process is most of what they cost. */
export function inLargeBatches(files: readonly string[]): string[][] {
  const size = 24
  return Array.from({ length: Math.ceil(files.length / size) }, (_, index) =>
    files.slice(index * size, (index + 1) * size),
  )
}

/**
 * What is run by hand takes minutes, so each of those files has a process of its own. Of the others neighbours share
 * one, of as many processes as keep every core busy; files of pages share the browser, so they are not mixed.
 */
export function inBatches(files: readonly string[]): string[][] {
  const byHand = files.filter((file) => file.endsWith('.check.ts'))
  const others = files.filter((file) => !byHand.includes(file)).toSorted()
  const shared = [...Map.groupBy(others, isOfPages).values()].flatMap(shareEvenly)
  return [...byHand.map((file) => [file]), ...shared]
}

function shareEvenly(files: readonly string[]): string[][] {
  const atLeast = Math.min(files.length, availableParallelism())
  const batches = Math.max(atLeast, Math.ceil(files.length / batchSize))
  const place = (index: number): number => Math.round((index * files.length) / batches)
  return Array.from({ length: batches }, (_, index) => files.slice(place(index), place(index + 1)))
}

const isOfPages = (file: string): boolean => file.startsWith('test/browser/')
