import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { PassThrough } from 'node:stream'
import { spec } from 'node:test/reporters'
import { browserProgram } from '../harness/browser-program.ts'
import { openRunFolder } from '../harness/run-folder.ts'
import { startTestServer } from '../harness/server.ts'
import { bundleProduct } from './bundle.ts'
import { bundleVariable } from './command-line.ts'
import { compiledFolder, compileServer } from './compiled.ts'
import type { Counts } from './counts.ts'
import { buildDashboard } from './dashboard.ts'
import { processorSeconds, readTimes, timesVariable, type Times } from './processor-time.ts'
import { runBatch, type Finished } from './run-batch.ts'
import { stopSignal } from './stop-signal.ts'

/**
 * Tests also wait, for timers and for other processes, so one batch more than there are cores keeps them busy. The
 * connections of the shared database are enough for six.
 */
const atOnce = Math.min(availableParallelism() + 1, 6)

const shownFiles = 20

/** To make the bundle takes as long as it saves in a few files. */
const bundledFrom = 40

interface Options {
  hasDatabase: boolean
  isStrict: boolean
}

/** Runs batches of test files, each in a process of its own; its tests are reported when it has ended. */
export async function runFiles(
  root: string,
  batches: readonly string[][],
  { hasDatabase, isStrict }: Options,
): Promise<Counts> {
  const run = await openRunFolder()
  const server = hasDatabase ? await startTestServer(run.folder) : undefined
  // Every batch loads most of the product.
  process.env['NODE_COMPILE_CACHE'] ??= compiledFolder(root)
  const times = (process.env[timesVariable] = join(tmpdir(), 'processor-times'))
  // Once, before several files want them at the same time.
  if (batches.flat().some((name) => name.includes('browser/'))) {
    await browserProgram()
    await buildDashboard(root)
  }
  const stopping = stopSignal()
  if (hasDatabase && batches.flat().length > bundledFrom) {
    const entry = await bundleProduct(root, join(root, 'node_modules/.cache/signalbox/bundle'))
    process.env[bundleVariable] = entry
    await compileServer(entry, stopping)
  }

  const finished = await runAll(root, batches, stopping)
  const again = isStrict || stopping.aborted ? [] : await runAgain(root, finished, stopping)
  const processorTimes = readTimes(times)
  await server?.stop()
  await run.remove()
  const counts = summarise([...finished, ...again], stopping)
  if (processorTimes.length > shownFiles) showDearest(root, processorTimes)
  return counts
}

async function runAll(
  root: string,
  batches: readonly string[][],
  stopping: AbortSignal,
  places = atOnce,
): Promise<Finished[]> {
  const report = new PassThrough({ objectMode: true })
  const printed = report.compose(spec())
  printed.pipe(process.stdout, { end: false })
  const finished: Finished[] = []
  const waiting = [...batches]
  const work = async (): Promise<void> => {
    for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
      if (stopping.aborted) return
      const done = await runBatch(
        batch.map((name) => join(root, name)),
        stopping,
      )
      finished.push(done)
      for (const event of done.events) report.write(event)
    }
  }
  await Promise.all(Array.from({ length: places }, work))
  const ended = new Promise((resolve) => printed.once('end', resolve))
  report.end()
  await ended
  return finished
}

/**
 * A file that failed beside others is run once more, alone. On a machine that is busy with other things a limit of
 * time can be met; what is wrong with the product fails alone too. The first failure stays in the output, and
 * the file is named at the end: it wants to be looked into.
 */
async function runAgain(root: string, finished: Finished[], stopping: AbortSignal): Promise<Finished[]> {
  const files = finished.flatMap(({ failedFiles }) => failedFiles).map((file) => relative(root, file))
  if (files.length === 0) return []
  console.log(`\nOnce more, alone: ${files.join(', ')}`)
  const again = await runAll(
    root,
    files.map((file) => [file]),
    stopping,
    1,
  )
  for (const each of finished) each.failed = 0
  const unsteady = files.filter((_, index) => again[index]?.failed === 0)
  if (unsteady.length > 0) console.log(`\nFailed beside others and passed alone: ${unsteady.join(', ')}`)
  return again
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
