import { setTimeout as wait } from 'node:timers/promises'
import { createModel } from './model.ts'
import { memoryOf, processesOf, type Memory, type Role } from './processes.ts'
import { setScene, type Scene } from './scene.ts'

export interface MemoryRow {
  role: Role | 'server, before the runs'
  /** That were there at some time, and at the moment when every run was in progress. */
  seen: number
  atOnce: number
  /** Of resident memory, in megabytes. */
  median: number
  max: number
  /** Of those at once together, with shared pages divided among those that share them. */
  proportional: number
}

const sampleMs = 100
const limitMs = 120_000

/** This many runs at once, all of which use tools and then wait for the same moment. */
export async function measureMemory(runs: number): Promise<{ rows: MemoryRow[]; completed: number }> {
  const gate = Promise.withResolvers<void>()
  let held = 0
  const model = createModel(async () => {
    held++
    await gate.promise
  })
  await using scene = await setScene(model)
  const seen: Seen = new Map()
  sample(scene, seen)
  const before = rowOf('server', seen)
  const deadline = Date.now() + limitMs
  for (let started = 0; started < runs; started++)
    await scene.ask('both', ['select', 'many rows', 'work', 'many rows', 'hold'])
  for (let isLast = false; !isLast && Date.now() < deadline; await wait(sampleMs)) {
    isLast = held >= runs
    for (const each of seen.values()) each.isThere = false
    sample(scene, seen)
  }
  gate.resolve()
  let completed = 0
  while (completed < runs && Date.now() < deadline) {
    await wait(sampleMs)
    completed = (await scene.runs('completed')).length
  }
  const roles: Role[] = ['run', 'signalbox mcp', 'tool server', 'server']
  const rows = roles.map((role) => rowOf(role, seen))
  return { completed, rows: [...rows, { ...before, role: 'server, before the runs' }] }
}

type Seen = Map<number, Memory & { role: Role; isThere: boolean }>

/** The peak is the kernel's own, up to the last sample of a process. */
function sample(scene: Scene, seen: Seen): void {
  for (const { pid, role } of processesOf(scene.home)) {
    const memory = memoryOf(pid)
    if (memory) seen.set(pid, { ...memory, role, isThere: true })
  }
}

function rowOf(role: Role, all: Seen): MemoryRow {
  const found = [...all.values()].filter((each) => each.role === role)
  const there = found.filter(({ isThere }) => isThere)
  const peaks = found.map(({ peak }) => peak).toSorted((a, b) => a - b)
  return {
    role,
    seen: found.length,
    atOnce: there.length,
    median: Math.round(peaks[Math.floor(peaks.length / 2)] ?? 0),
    max: Math.round(peaks.at(-1) ?? 0),
    proportional: Math.round(there.reduce((sum, { proportional }) => sum + proportional, 0)),
  }
}
