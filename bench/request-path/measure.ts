import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { useSeed } from '../../test/harness/seed.ts'
import { scenarios, type Scenario } from '../gateway/scenarios.ts'
import { startSignalbox, type Target } from '../gateway/targets.ts'
import { freePort } from '#test/free-port'
import { startUpstream } from '../gateway/upstream.ts'
import { connectProfiler, type CalledFunctions, type Profiler } from './profiler.ts'
import { openStandup } from './standup.ts'

/** The functions that run for a request, by file of `src`. */
export interface RequestPaths {
  chat: CalledFunctions
  standup: CalledFunctions
}

export const checkout = join(import.meta.dirname, '../..')
const plain = scenarios[0] as Scenario
/** Requests before the first that counts: routes, keys and pools are then in memory. */
const warmUps = { chat: 20, standup: 3 }
/** A file counts when every one of these requests needs it: what timers do meanwhile is then left out. */
const samples = 5
/** Before each of them: what the server does in the background after the one before is then over. */
const restMs = 1_500

/** Counts by V8 coverage, in a server of its own. */
export async function measurePaths(folder = checkout, scenario = plain): Promise<RequestPaths> {
  const data = mkdtempSync(join(tmpdir(), 'signalbox-path-'))
  await using running = new AsyncDisposableStack()
  running.defer(() => rmSync(data, { recursive: true, force: true }))
  const upstream = await startUpstream(scenario)
  running.defer(upstream.stop)
  mkdirSync(join(data, 'signalbox'))
  if (folder === checkout) useSeed(join(data, 'signalbox/data'))
  const port = await freePort()
  const target = await startSignalbox(upstream, join(data, 'signalbox'), {
    checkout: folder,
    nodeOptions: [`--inspect=127.0.0.1:${port}`],
    // Events of requests are emitted afterwards, and on a busy machine during the next one.
    environment: { STANDUP_MODEL: 'gpt-4.1', API_CALL_EVENTS_PER_SECOND: '0' },
  })
  running.defer(target.stop)
  const profiler = await connectProfiler(port, pathToFileURL(`${folder}/src/`).href)
  running.defer(profiler.close)
  const chat = await sample(profiler, warmUps.chat, () => complete(target, scenario))
  const standup = await openStandup(target.job(scenario).origin, target.asOwner ?? {})
  running.defer(standup.close)
  return { chat, standup: await sample(profiler, warmUps.standup, standup.say) }
}

async function sample(
  profiler: Profiler,
  before: number,
  send: () => Promise<void>,
): Promise<CalledFunctions> {
  for (let sent = 0; sent < before; sent++) await send()
  const found: CalledFunctions[] = []
  while (found.length < samples) {
    await sleep(restMs)
    await profiler.take()
    await send()
    found.push(await profiler.take())
  }
  const [first = new Map(), ...others] = found
  return new Map([...first].filter(([file]) => others.every((each) => each.has(file))))
}

async function complete(target: Target, scenario: Scenario): Promise<void> {
  const { origin, path, headers, body } = target.job(scenario)
  const response = await fetch(origin + path, { method: 'POST', headers, body })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`Signalbox returned ${response.status}: ${text}`)
}
