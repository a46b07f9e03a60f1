import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ticksMs = 10

/**
 * Milliseconds of processor time that this process and its PostgreSQL have used, where /proc reports it. On a shared
 * machine it says more than the clock.
 */
export function processorTime(folder: string): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000 + databaseTime(folder)
}

/** Of the PostgreSQL whose data is below the folder. */
export function databaseTime(folder: string): number {
  try {
    const [file = ''] = globSync(join(folder, '**/postmaster.pid'))
    const server = Number(readFileSync(file, 'utf8').split('\n')[0])
    const times = globSync('/proc/[0-9]*/stat').map((path) => timeOf(path, server))
    return times.reduce((sum, time) => sum + time, 0)
  } catch {
    return NaN
  }
}

/** A server process that has ended, such as a parallel worker, is counted with its parent. */
function timeOf(path: string, server: number): number {
  let fields: number[]
  try {
    fields = readFileSync(path, 'utf8')
      .replace(/^.*\) \S /s, '')
      .split(' ')
      .map(Number)
  } catch {
    return 0
  }
  const isServer = path === `/proc/${server}/stat`
  const own = (fields[10] ?? 0) + (fields[11] ?? 0)
  const ended = (fields[12] ?? 0) + (fields[13] ?? 0)
  return (isServer ? own + ended : fields[0] === server ? own : 0) * ticksMs
}
