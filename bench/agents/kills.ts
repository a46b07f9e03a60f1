import { setTimeout as wait } from 'node:timers/promises'
import type { Run } from '#agents/contract'
import { createModel, type Step } from './model.ts'
import { killProcess, processesOf, type Role } from './processes.ts'
import { setScene, type AgentId, type Scene } from './scene.ts'

export interface KillVerdict {
  /** Fewer than asked for where time was up. */
  started: number
  /** Those that the server knows at the end. */
  runs: number
  seconds: number
  killed: Partial<Record<Role, number>>
  /** By status and, where a run failed, why. */
  ended: Record<string, number>
  /** Neither ended nor waiting. */
  unfinished: number
  /** Processes of runs that are there although no run is in progress. */
  leftByRuns: number
  /** What is there after the server was stopped. */
  leftByServer: number
}

const atOnce = 20
const maxMs = 290_000
/** A run whose server died is ended when its lease is over. */
const settleMs = 60_000
const killEveryMs = 1_500

const plans: readonly (readonly [AgentId, readonly Step[]])[] = [
  ['platform', ['select', 'many rows', 'select']],
  ['things', ['work', 'work', 'work']],
  ['things', ['leave', 'work', 'work']],
  ['things', ['ask', 'work']],
  ['platform', ['create']],
  ['both', ['leave', 'select', 'ask', 'work']],
]

/** Starts runs, kills their processes and the server at random moments, and counts what is left. */
export async function killRuns(runs: number, report: (line: string) => void): Promise<KillVerdict> {
  await using scene = await setScene(createModel())
  const startedAt = Date.now()
  const killed: KillVerdict['killed'] = {}
  const count = (role: Role): void => void (killed[role] = (killed[role] ?? 0) + 1)
  const serverKills = Math.max(1, Math.floor(runs / 50))
  const victims: Victims = { home: scene.home, runs: new Set(), count }
  const over = new AbortController()
  const killing = killUntil(over.signal, victims)
  let started = 0
  while (started < runs && Date.now() - startedAt < maxMs) {
    victims.runs = await inProgress(scene)
    for (let free = atOnce - victims.runs.size; free > 0 && started < runs; free--)
      await scene.ask(...(plans[started++ % plans.length] ?? ['things', []]))
    await answerOne(scene)
    await wait(50 + Math.random() * 200)
    if (started / runs > ((killed.server ?? 0) + 0.5) / serverKills) {
      const restarted = scene.restart()
      count('server')
      await restarted
      report(`${started} runs started, ${JSON.stringify(killed)} killed`)
    }
  }
  over.abort()
  await killing
  for (const deadline = Date.now() + settleMs; (await inProgress(scene)).size > 0 && Date.now() < deadline;)
    await wait(500)
  const all = await scene.runs()
  const leftByRuns = processesOf(scene.home).filter(({ runId }) => runId !== undefined).length
  await scene.stop()
  const left = processesOf(scene.home)
  for (const each of left) killProcess(scene.home, each)
  return {
    started,
    runs: all.length,
    seconds: Math.round((Date.now() - startedAt) / 1_000),
    killed,
    ended: countBy(all),
    unfinished: all.filter(({ status }) => status === 'queued' || status === 'running').length,
    leftByRuns,
    leftByServer: left.length,
  }
}

async function inProgress(scene: Scene): Promise<Set<string>> {
  const found = [...(await scene.runs('running')), ...(await scene.runs('queued'))]
  return new Set(found.map(({ run_id }) => run_id))
}

/** Most of those who ask get an answer, so that runs are resumed while processes die. */
async function answerOne(scene: Scene): Promise<void> {
  const asks = (await scene.runs('waiting')).filter(({ waiting_for: wait }) => wait?.kind === 'question')
  const first = asks.at(-1)
  if (first && asks.length > 3) await scene.answer(first.run_id)
}

interface Victims {
  home: string
  /** Only those in progress: what an ended run has left must be found, not killed by chance. */
  runs: ReadonlySet<string>
  count(role: Role): void
}

/** Also while the server starts again. */
async function killUntil(over: AbortSignal, victims: Victims): Promise<void> {
  while (!over.aborted) {
    killOne(victims)
    await wait(Math.random() * 2 * killEveryMs)
  }
}

function killOne({ home, runs, count }: Victims): void {
  const found = processesOf(home).filter(({ runId }) => runId !== undefined && runs.has(runId))
  const victim = found[Math.floor(Math.random() * found.length)]
  if (!victim) return
  killProcess(home, victim)
  count(victim.role)
}

function countBy(runs: readonly Run[]): Record<string, number> {
  const ended: Record<string, number> = {}
  for (const { status, error } of runs) {
    const name = error ? `${status}: ${error.code}` : status
    ended[name] = (ended[name] ?? 0) + 1
  }
  return ended
}

export function isGood({ started, runs, unfinished, leftByRuns, leftByServer }: KillVerdict): boolean {
  return started === runs && unfinished + leftByRuns + leftByServer === 0
}
