import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { PassThrough } from 'node:stream'
import { spec } from 'node:test/reporters'
import { browserProgram } from '../harness/browser-program.ts'
import { startTestServer } from '../harness/server.ts'
import { compiledFolder, compileServer } from './compiled.ts'
import type { Counts } from './counts.ts'
import { buildDashboard } from './dashboard.ts'
import { processorSeconds, readTimes, timesVariable, type Times } from './processor-time.ts'
import { runBatch, type Finished } from './run-batch.ts'

/**
 * Tests also wait, for timers and for other processes, so one batch more than there are cores keeps them busy. The
 * connections of the shared database are enough for six.
 */
const atOnce = Math.min(availableParallelism() + 1, 6)

const shownFiles = 20

/** Runs batches of test files, each in a process of its own; its tests are reported when it has ended. */
export async function runFiles(root: string, batches: readonly string[][]): Promise<Counts> {
  const server = await startTestServer()
  // Every batch loads most of the product.
  process.env['NODE_COMPILE_CACHE'] ??= compiledFolder(root)
  const times = (process.env[timesVariable] ??= join(tmpdir(), 'processor-times'))
  // Once, before several files want them at the same time.
  if (batches.flat().some((name) => name.includes('browser/'))) {
    await browserProgram()
    await buildDashboard(root)
  }
  const stopping = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.once(name, () => stopping.abort(new Error(name)))
  if (batches.length > shownFiles) await compileServer(root, stopping.signal)

  const report = new PassThrough({ objectMode: true })
  const printed = report.compose(spec())
  printed.pipe(process.stdout, { end: false })
  const finished: Finished[] = []
  const waiting = [...batches]
  const work = async (): Promise<void> => {
    for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
      if (stopping.signal.aborted) return
      const files = batch.map((name) => join(root, name))
      const done = await runBatch(files, stopping.signal)
      finished.push(done)
      for (const event of done.events) report.write(event)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const ended = new Promise((resolve) => printed.once('end', resolve))
  report.end()
  await ended
  const processorTimes = readTimes(times)
  await server.stop()
  const counts = summarise(finished, stopping.signal)
  if (processorTimes.length > shownFiles) showDearest(root, processorTimes)
  return counts
}

function summarise(finished: readonly Finished[], { aborted, reason }: AbortSignal): Counts {
  const passed = finished.reduce((sum, each) => sum + each.passed, 0)
  const failed = finished.reduce((sum, each) => sum + each.failed, 0)
  if (aborted) console.log(`\nStopped by ${(reason as Error).message} after ${finished.length} batches.`)
  else if (passed + failed === 0) throw new Error('No test was found')
  return { passed, failed: failed + (aborted ? 1 : 0) }
}

/** Where a run that has become too long can be made shorter. */
function showDearest(root: string, files: readonly Times[]): void {
  console.log(`\nProcessor time: ${(processorSeconds() / 60).toFixed(1)} minutes. The dearest files:`)
  console.log('processor   taken')
  for (const { file, used, taken } of files.toSorted((a, b) => b.used - a.used).slice(0, shownFiles))
    console.log(`${used.toFixed(1).padStart(7)} s ${taken.toFixed(1).padStart(5)} s  ${relative(root, file)}`)
}
