import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { scenarios, type Scenario } from '../gateway/scenarios.ts'
import { freePort, startSignalbox, type Target } from '../gateway/targets.ts'
import { startUpstream } from '../gateway/upstream.ts'
import { connectProfiler, type CalledFunctions, type Profiler } from './profiler.ts'

const usage = `npm run path -- [options]
  Counts the source files in which a function runs between a chat completion's first byte and its response.
  --scenario NAME     a scenario of bench:gateway (default plain)
  --checkout FOLDER   the checkout whose server is asked (default this one)`

const { values } = parseArgs({
  options: {
    scenario: { type: 'string', default: 'plain' },
    checkout: { type: 'string', default: join(import.meta.dirname, '../..') },
    help: { type: 'boolean', default: false },
  },
})

/** Requests before the first that counts: routes, keys and pools are then in memory. */
const warmUps = 20
/** A file counts when every one of these requests needs it: what timers do meanwhile is then left out. */
const samples = 5

const scenario = scenarios.find(({ name }) => name === values.scenario)
if (values.help || !scenario) console.log(usage)
else print(await measure(scenario, resolve(values.checkout)))

async function measure(chosen: Scenario, checkout: string): Promise<CalledFunctions> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-path-'))
  await using running = new AsyncDisposableStack()
  running.defer(() => rmSync(folder, { recursive: true, force: true }))
  const upstream = await startUpstream(chosen)
  running.defer(upstream.stop)
  mkdirSync(join(folder, 'signalbox'))
  const port = await freePort()
  const options = { checkout, nodeOptions: [`--inspect=127.0.0.1:${port}`] }
  const target = await startSignalbox(upstream, join(folder, 'signalbox'), options)
  running.defer(target.stop)
  const profiler = await connectProfiler(port, pathToFileURL(`${checkout}/src/`).href)
  running.defer(profiler.close)
  for (let sent = 0; sent < warmUps; sent++) await send(target, chosen)
  return inEveryOne(await sample(profiler, target, chosen))
}

async function sample(profiler: Profiler, target: Target, chosen: Scenario): Promise<CalledFunctions[]> {
  const found: CalledFunctions[] = []
  while (found.length < samples) {
    await profiler.take()
    await send(target, chosen)
    found.push(await profiler.take())
  }
  return found
}

async function send(target: Target, chosen: Scenario): Promise<void> {
  const { origin, path, headers, body } = target.job(chosen)
  const response = await fetch(origin + path, { method: 'POST', headers, body })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`Signalbox returned ${response.status}: ${text}`)
}

function inEveryOne([first = new Map(), ...others]: CalledFunctions[]): CalledFunctions {
  return new Map([...first].filter(([file]) => others.every((each) => each.has(file))))
}

function print(called: CalledFunctions): void {
  const files = [...called.keys()].toSorted()
  for (const file of files) console.log(`src/${file}: ${[...(called.get(file) ?? [])].join(', ')}`)
  const gateway = files.filter((file) => file.startsWith('gateway/'))
  console.log(`\n${gateway.length} files of src/gateway, ${files.length} of src`)
}
