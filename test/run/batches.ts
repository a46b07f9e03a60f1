import { dirname } from 'node:path'

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
]

/** Loading the product takes longer than the tests of most files, so files of one folder share a process. */
const batchSize = 10

/** In the order in which they begin. */
export function allInBatches(files: readonly string[]): string[][] {
  const missing = long.filter((file) => !files.includes(file))
  if (missing.length > 0) throw new Error(`test/run/batches.ts names no file: ${missing.join(', ')}`)
  const [pages, others] = parted(inBatches(files.filter((file) => !long.includes(file))))
  // Three browsers at once would only wait for each other.
  const every = Math.ceil(others.length / pages.length)
  const spread = pages.flatMap((batch, index) => [batch, ...others.slice(index * every, (index + 1) * every)])
  return [...long.map((file) => [file]), ...spread]
}

function parted(batches: readonly string[][]): [pages: string[][], others: string[][]] {
  const isOfPages = (batch: string[]): boolean => batch.some((file) => partOf(file) === 'test/browser')
  return [batches.filter(isOfPages), batches.filter((batch) => !isOfPages(batch))]
}

/** Files without a database load little, so that their process is most of what they cost. */
export function inLargeBatches(files: readonly string[]): string[][] {
  const size = 24
  return Array.from({ length: Math.ceil(files.length / size) }, (_, index) =>
    files.slice(index * size, (index + 1) * size),
  )
}

/** What is run by hand takes minutes, so each of those files has a process of its own. */
export function inBatches(files: readonly string[]): string[][] {
  const byHand = files.filter((file) => file.endsWith('.check.ts'))
  const byPart = Map.groupBy(files.filter((file) => !byHand.includes(file)).toSorted(), partOf)
  const shared = [...byPart.values()].flatMap((each) => {
    const batches = Math.ceil(each.length / batchSize)
    const size = Math.ceil(each.length / batches)
    return Array.from({ length: batches }, (_, index) => each.slice(index * size, (index + 1) * size))
  })
  return [...byHand.map((file) => [file]), ...shared]
}

/** The first two folders: a part of the product, or a folder of tests. */
function partOf(file: string): string {
  return dirname(file).split('/').slice(0, 2).join('/')
}
