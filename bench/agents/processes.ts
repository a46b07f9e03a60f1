import { readdirSync, readFileSync } from 'node:fs'
import { killNow } from '../ledger/server.ts'

export type Role = 'server' | 'run' | 'signalbox mcp' | 'tool server' | 'other'

export interface Process {
  pid: number
  role: Role
  /** Undefined: not a process of a run. */
  runId: string | undefined
}

/** Everything that the server of this bench started, whatever became of its parents: all inherit its home folder. */
export function processesOf(home: string): Process[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((name) => {
    const environment = read(name, 'environ').split('\0')
    // One that has ended and is not collected yet has no environment.
    if (!environment.includes(`HOME=${home}`)) return []
    const mark = environment.find((each) => each.startsWith('SIGNALBOX_RUN='))
    return [{ pid: Number(name), role: roleOf(read(name, 'cmdline')), runId: mark?.slice(14) }]
  })
}

function roleOf(commandLine: string): Role {
  if (commandLine.includes('/child/main.js\0')) return 'run'
  if (commandLine.includes('/tool-server.ts\0')) return 'tool server'
  if (commandLine.includes('/cli/main.js\0mcp\0')) return 'signalbox mcp'
  return commandLine.includes('/cli/main.js\0serve\0') ? 'server' : 'other'
}

/** Kill -9, unless the number belongs to another process by now. */
export function killProcess(home: string, { pid }: Process): void {
  if (read(String(pid), 'environ').includes(`HOME=${home}\0`)) killNow(pid)
}

export interface Memory {
  peak: number
  /** What it shares with others is divided among them. */
  proportional: number
}

/** In megabytes. Undefined: it has ended. */
export function memoryOf(pid: number): Memory | undefined {
  const peak = /^VmHWM:\s+(\d+)/m.exec(read(String(pid), 'status'))?.[1]
  const proportional = /^Pss:\s+(\d+)/m.exec(read(String(pid), 'smaps_rollup'))?.[1]
  if (peak === undefined || proportional === undefined) return undefined
  return { peak: Number(peak) / 1024, proportional: Number(proportional) / 1024 }
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
