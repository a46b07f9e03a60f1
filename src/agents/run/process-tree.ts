import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/** In the environment of every process of a run, also of those that its tool servers start. */
export const markName = 'SIGNALBOX_RUN'

/**
 * Ends the process of a run and everything that it started: its process group, and, where the system shows the
 * environment of processes, also those that left the group.
 */
export async function endTree(pid: number | undefined, runId: string): Promise<void> {
  if (pid !== undefined) await endGroup(pid)
  await endMarked(runId)
}

async function endGroup(pid: number): Promise<void> {
  try {
    if (process.platform === 'win32') await promisify(execFile)('taskkill', ['/pid', String(pid), '/T', '/F'])
    else process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** Ends what carries the mark of the run. A process that forks meanwhile is found the next time round. */
export async function endMarked(runId: string): Promise<number> {
  let ended = 0
  for (let round = 0; round < 3; round++) {
    const found = await findMarked(runId)
    if (found.length === 0) return ended
    for (const pid of found) ended += kill(pid) ? 1 : 0
  }
  return ended
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}

/** Empty where there is no /proc. Processes of other users cannot be read, and are not ours. */
export async function findMarked(runId: string): Promise<number[]> {
  if (process.platform !== 'linux') return []
  const mark = Buffer.from(`\0${markName}=${runId}\0`)
  const names = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    names.map(async (name) => {
      const environment = await readFile(`/proc/${name}/environ`).catch(() => undefined)
      return environment && Buffer.concat([Buffer.of(0), environment]).includes(mark) ? [Number(name)] : []
    }),
  )
  return found.flat().filter((pid) => pid !== process.pid)
}
