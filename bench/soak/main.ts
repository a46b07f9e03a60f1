import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startLoad } from '../gateway/measure.ts'
import { residentMegabytes } from '../gateway/processes.ts'
import { scenarios } from '../gateway/scenarios.ts'
import { startProxy, startSignalbox, type Target } from '../gateway/targets.ts'
import { startUpstream } from '../gateway/upstream.ts'
import { growthPerMinute, type Sample } from './growth.ts'
import { writeReport } from './report.ts'

const usage = `npm run bench:soak -- [options]
  --minutes N   how long it runs (default 10, at least 3); the first two do not count
  --write       put the table into docs/performance.md`

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

/** Caches fill, code is compiled and the heap finds its size. */
const warmUpMinutes = 2

/** Every kind of request that the fake provider can serve without a restart. */
const mixed = scenarios.filter(({ chunks }) => chunks === 50)

if (values.help) console.log(usage)
else await soak(Math.max(3, Number(values.minutes) || 10))

async function soak(minutes: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-soak-'))
  await using running = new AsyncDisposableStack()
  running.defer(() => rmSync(folder, { recursive: true, force: true }))
  const upstream = await startUpstream({ chunks: 50 })
  running.defer(upstream.stop)
  const load = startLoad()
  running.defer(load.stop)
  const targets = [await startProxy('bare', upstream), await startSignalbox(upstream, folder)]
  for (const target of targets) running.defer(target.stop)

  const samples = new Map<Target, Sample[]>(targets.map((target) => [target, []]))
  let requests = 0
  const began = performance.now()
  const minutesSince = (): number => (performance.now() - began) / 60_000
  while (minutesSince() < minutes) {
    for (const target of targets) {
      for (const scenario of mixed) await load.measure(target, scenario, 0.5)
      const megabytes = residentMegabytes(target.pid) ?? NaN
      samples.get(target)?.push({ minute: minutesSince(), megabytes })
    }
    requests += mixed.reduce((sum, scenario) => sum + Math.round(scenario.requests * 0.5), 0)
    const now = samples.get(targets[1] as Target)?.at(-1)?.megabytes ?? NaN
    console.error(
      `${minutesSince().toFixed(1)} min, ${requests} requests each, signalbox ${now.toFixed(0)} MB`,
    )
  }
  writeReport(
    targets.map((target) => {
      const counted = (samples.get(target) ?? []).filter(({ minute }) => minute >= warmUpMinutes)
      return { name: target.name, requests, samples: counted, growth: growthPerMinute(counted) }
    }),
    { minutes, write: values.write },
  )
}
