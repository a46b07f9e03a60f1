import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startProduct } from './product.ts'
import { fillIndex } from './fill.ts'
import { measureRecall, measureSearches } from './measure.ts'

const usage = `npm run bench:search -- [options]
  --chunks N    chunks in the index (default 100000)
  --queries N   searches that are timed and compared with exact search (default 200)`

const { values } = parseArgs({
  options: {
    chunks: { type: 'string', default: '100000' },
    queries: { type: 'string', default: '200' },
    help: { type: 'boolean', default: false },
  },
})

const ceilings = { p95Ms: 100, recall: 0.95 }

async function bench(chunks: number, queries: number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-search-'))
  await using running = new AsyncDisposableStack()
  running.defer(() => rmSync(folder, { recursive: true, force: true }))
  const product = await startProduct(folder)
  running.defer(product.stop)
  const filled = await fillIndex(product, chunks)
  console.log(`${filled.chunks} chunks of ${filled.documents} documents`)
  console.log(`cut and stored in ${filled.storedSeconds} s, embedded in ${filled.embeddedSeconds} s`)
  for (const { table, size } of filled.sizes) console.log(`  ${table}: ${size}`)

  const recall = await measureRecall(product, queries)
  for (const { limit, share, p50, p95 } of recall)
    console.log(`exact top ${limit}: ${share.toFixed(3)} found, p50 ${p50} ms, p95 ${p95} ms`)
  const { p50, p95, processorMs } = await measureSearches(product, queries)
  console.log(`whole search over HTTP: p50 ${p50} ms, p95 ${p95} ms, processor ${processorMs} ms each`)
  const isGood = (recall[0]?.share ?? 0) >= ceilings.recall && p95 <= ceilings.p95Ms
  console.log(`p95 ≤ ${ceilings.p95Ms} ms and recall ≥ ${ceilings.recall}: ${isGood ? 'met' : 'MISSED'}`)
  return isGood
}

const whole = (text: string, usual: number): number => Math.max(1, Math.trunc(Number(text)) || usual)

if (values.help) console.log(usage)
else process.exitCode = (await bench(whole(values.chunks, 100_000), whole(values.queries, 200))) ? 0 : 1
