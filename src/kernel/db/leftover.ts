import { execFileSync } from 'node:child_process'
import { readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processStartTime } from '#kernel/datadir'
import { StartFault } from '#kernel/errors'
import type { Log } from '#kernel/log'

/**
 * A killed Signalbox leaves its database server running. We hold the lock on the data directory, so that
 * server has no owner: it is stopped cleanly and restarted.
 */
export async function stopLeftover(cluster: string, log: Log): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid')
  const pid = readPid(pidFile)
  if (pid === undefined) return
  if (!isServerOf(pid, cluster)) return rmSync(pidFile, { force: true })
  log.warn({ pid }, 'stopping a database server that an earlier process left behind')
  for (const [signal, waitMs] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 10_000],
  ] as const) {
    kill(pid, signal)
    if (await isGone(pid, waitMs)) return
  }
  throw new StartFault(
    `The database server ${pid} that an earlier process left behind does not stop. End it and start again.`,
  )
}

function readPid(pidFile: string): number | undefined {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
    return Number.isInteger(pid) && pid > 1 ? pid : undefined
  } catch {
    return undefined
  }
}

/** After a reboot the same process id may belong to another program, which must not be signalled. */
function isServerOf(pid: number, cluster: string): boolean {
  if (processStartTime(pid) === undefined) return false
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster)
    if (process.platform === 'win32') return true
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(cluster)
  } catch {
    return false
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function isGone(pid: number, waitMs: number): Promise<boolean> {
  const deadline = Date.now() + waitMs
  while (Date.now() < deadline) {
    if (processStartTime(pid) === undefined) return true
    await sleep(20)
  }
  return false
}
