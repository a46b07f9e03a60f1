import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { scenarios, type Scenario } from '../gateway/scenarios.ts'
import { freePort, startSignalbox } from '../gateway/targets.ts'
import { startUpstream } from '../gateway/upstream.ts'
import { connectProfiler, type CalledFunctions, type Profiler } from './profiler.ts'
import { openStandup } from './standup.ts'

const usage = `npm run path -- [options]
  Counts the source files in which a function runs between the first byte of a request and its response:
  a chat completion, then a message of a stand-up up to the end of the agent's turn.
  --scenario NAME     a scenario of bench:gateway for the chat completion (default plain)
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
/** Before each of them: what the server does in the background after the one before is then over. */
const restMs = 1_500

const scenario = scenarios.find(({ name }) => name === values.scenario)
if (values.help || !scenario) console.log(usage)
else await measure(scenario, resolve(values.checkout))

async function measure(chosen: Scenario, checkout: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-path-'))
  await using running = new AsyncDisposableStack()
  running.defer(() => rmSync(folder, { recursive: true, force: true }))
  const upstream = await startUpstream(chosen)
  running.defer(upstream.stop)
  mkdirSync(join(folder, 'signalbox'))
  const port = await freePort()
  const target = await startSignalbox(upstream, join(folder, 'signalbox'), {
    checkout,
    nodeOptions: [`--inspect=127.0.0.1:${port}`],
    environment: { STANDUP_MODEL: 'gpt-4.1' },
  })
  running.defer(target.stop)
  const profiler = await connectProfiler(port, pathToFileURL(`${checkout}/src/`).href)
  running.defer(profiler.close)
  const { origin, path, headers, body } = target.job(chosen)
  const complete = async (): Promise<void> => {
    const response = await fetch(origin + path, { method: 'POST', headers, body })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`Signalbox returned ${response.status}: ${text}`)
  }
  print('A chat completion', await sample(profiler, complete))
  const standup = await openStandup(origin, target.asOwner ?? {})
  running.defer(standup.close)
  print('A message of a stand-up', await sample(profiler, standup.say))
}

async function sample(profiler: Profiler, request: () => Promise<void>): Promise<CalledFunctions> {
  for (let sent = 0; sent < warmUps; sent++) await request()
  const found: CalledFunctions[] = []
  while (found.length < samples) {
    await sleep(restMs)
    await profiler.take()
    await request()
    found.push(await profiler.take())
  }
  return inEveryOne(found)
}

function inEveryOne([first = new Map(), ...others]: CalledFunctions[]): CalledFunctions {
  return new Map([...first].filter(([file]) => others.every((each) => each.has(file))))
}

function print(what: string, called: CalledFunctions): void {
  const files = [...called.keys()].toSorted()
  for (const file of files) console.log(`src/${file}: ${[...(called.get(file) ?? [])].join(', ')}`)
  const gateway = files.filter((file) => file.startsWith('gateway/'))
  console.log(`\n${what}: ${gateway.length} files of src/gateway, ${files.length} of src\n`)
}
