import { addLimitedGroup } from './limited.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { writeToPage } from '../performance-page.ts'
import {
  checkResponse,
  compareTurns,
  middle,
  startLoad,
  type Compared,
  type Load,
  type Measured,
} from './measure.ts'
import { installPortkey } from './portkey.ts'
import { toMarkdown } from './report.ts'
import type { Results } from './results.ts'
import { scenarios, type Scenario } from './scenarios.ts'
import { startPortkey, startProxy, startSignalbox, type Target, type TargetName } from './targets.ts'
import { startUpstream, type FakeUpstream } from './upstream.ts'

const usage = `npm run bench:gateway -- [options]
  --rounds N          rounds of every scenario for each process (default 4, at most 20)
  --processes N       processes of each target, Portkey's gateway excepted (default 2, at most 8)
  --only TEXT         only the scenario with this name
  --without-portkey   do not install and measure Portkey's gateway
  --console           also measure Signalbox with the console open, as the target "watched"
  --limits            also measure a group with three limits and a route, as the target "limited"
  --before FOLDER     also measure the Signalbox of another checkout, as the target "before"
  --profile FOLDER    write a processor profile of Signalbox there
  --write             put the tables into docs/performance.md`

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '4' },
    processes: { type: 'string', default: '2' },
    only: { type: 'string' },
    'without-portkey': { type: 'boolean', default: false },
    console: { type: 'boolean', default: false },
    limits: { type: 'boolean', default: false },
    before: { type: 'string' },
    profile: { type: 'string' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

/**
 * What does not count: the first rounds of a scenario (more for the very first, while everything is still being
 * compiled), and half as many requests again before each turn: a process that has waited for the others begins with
 * cold caches, and a gateway under load does not.
 */
const warmUp = { first: 3, later: 0.5, turn: 0.5 }

if (values.help) console.log(usage)
else await bench(Math.min(20, Math.max(1, Number(values.rounds) || 4)))

async function bench(rounds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'))
  await using running = new AsyncDisposableStack()
  running.defer(() => rmSync(folder, { recursive: true, force: true }))
  const upstream = await startUpstream({ chunks: 50 })
  running.defer(upstream.stop)
  const load = startLoad()
  running.defer(load.stop)
  const targets = await startTargets(upstream, folder)
  for (const target of targets) running.defer(target.stop)

  const results: Results = {
    idle: new Map(
      [...Map.groupBy(targets, ({ name }) => name)].map(([name, each]) => [
        name,
        middle(each.map(({ idle }) => idle ?? NaN)),
      ]),
    ),
    scenarios: new Map(),
  }
  for (const scenario of scenarios.filter(({ name }) => values.only === undefined || name === values.only)) {
    await upstream.prepareFor(scenario)
    for (const target of targets) await checkResponse(target, scenario)
    const uncounted = results.scenarios.size === 0 ? warmUp.first : warmUp.later
    results.scenarios.set(scenario.name, await compare(load, targets, scenario, { uncounted, rounds }))
  }
  const tables = toMarkdown(results)
  console.log(tables)
  if (values.write) writeToPage('gateway', tables)
}

/** The same code can cost a fifth more in one process than in the next, so each target has several. */
async function startTargets(upstream: FakeUpstream, folder: string): Promise<Target[]> {
  const newFolder = (): string => mkdtempSync(join(folder, 'target-'))
  const nodeOptions = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`]
  const processes = Math.min(8, Math.max(1, Number(values.processes) || 2))
  const targets: Target[] = []
  for (let each = 0; each < processes; each += 1) {
    targets.push(await startProxy('bare', upstream), await startProxy('leanest', upstream))
    const signalbox = await startSignalbox(upstream, newFolder(), { nodeOptions })
    targets.push(signalbox)
    if (values.limits) targets.push(await addLimitedGroup(signalbox))
    if (values.console) targets.push(await startSignalbox(upstream, newFolder(), { name: 'watched' }))
    if (values.before !== undefined)
      targets.push(await startSignalbox(upstream, newFolder(), { name: 'before', checkout: values.before }))
  }
  if (values['without-portkey']) return targets
  try {
    return [...targets, await startPortkey(upstream, await installPortkey(newFolder()))]
  } catch (error) {
    console.error(`Portkey's gateway is left out: ${(error as Error).message}`)
    return targets
  }
}

/**
 * A round is made of short turns in random order, so that a neighbour's noise, and what the one before has left in the
 * processor's caches, fall on all of them alike: on a shared machine the speed of a processor changes by half within seconds. Those that do not count have the
 * same turns, since Node gives up memory and compiled code when it has nothing to do for some seconds.
 */
async function compare(
  load: Load,
  targets: readonly Target[],
  scenario: Scenario,
  { uncounted, rounds }: { uncounted: number; rounds: number },
): Promise<Map<TargetName, Compared>> {
  const measured = new Map<TargetName, Measured[]>(targets.map(({ name }) => [name, []]))
  const turns = turnsOf(scenario)
  for (let turn = 0; turn < (uncounted + rounds) * turns; turn += 1) {
    for (const target of shuffled(targets)) {
      await load.measure(target, scenario, warmUp.turn / turns)
      const figures = await load.measure(target, scenario, 1 / turns)
      if (turn >= uncounted * turns) measured.get(target.name)?.push(figures)
    }
  }
  const [bare = [], leanest = []] = [measured.get('bare'), measured.get('leanest')]
  return new Map([...measured].map(([name, each]) => [name, compareTurns(each, bare, leanest)]))
}

function shuffled<T>(all: readonly T[]): T[] {
  const places = all.map((value) => ({ value, at: Math.random() }))
  return places.toSorted((one, other) => one.at - other.at).map(({ value }) => value)
}

/** In one round: as many as leave each client of the load two requests. */
function turnsOf({ requests, concurrency }: Scenario): number {
  return Math.max(1, Math.min(6, Math.floor(requests / concurrency / 2)))
}
