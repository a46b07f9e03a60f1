import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { messageOf, StartFault } from '#kernel/errors'
import { findPrograms } from './programs.ts'
import { giveTo, isExecutable, reachablePrograms, runAs, type RunAs } from './run-as.ts'

/** The files of the embedded server: where they are, and how they are created. */
export interface Layout {
  programs: string
  cluster: string
  logFile: string
  addressFile: string
  user: RunAs | undefined
  /** The socket lies in a temporary folder, because its path in DATA_DIR would be too long or out of reach. */
  isPrivateSocket: boolean
  socketInDataDir: string
}

export function prepareLayout(dataDir: string): Layout {
  const user = runAs()
  const { folder, version } = findPrograms()
  const programs = join(reachablePrograms(folder, version, user), 'bin')
  if (process.platform !== 'win32' && !isExecutable(join(programs, 'postgres'))) {
    throw new StartFault(`The embedded PostgreSQL in ${programs} is not executable. Run npm ci again.`)
  }
  const cluster = join(dataDir, 'postgres')
  mkdirSync(cluster, { recursive: true, mode: 0o700 })
  giveTo(cluster, user)
  const socketInDataDir = join(dataDir, 'run')
  // A unix socket's path holds at most 103 bytes on macOS and 107 on Linux.
  const isTooLong = Buffer.byteLength(join(socketInDataDir, '.s.PGSQL.5432')) > 100
  return {
    programs,
    cluster,
    logFile: join(dataDir, 'postgres.log'),
    addressFile: join(dataDir, 'postgres.json'),
    user,
    isPrivateSocket: process.platform !== 'win32' && (isTooLong || user !== undefined),
    socketInDataDir,
  }
}

/** initdb writes its version file early, so a marker file next to the cluster says that it is complete. */
export function isWhole(layout: Layout): boolean {
  return existsSync(join(layout.cluster, 'PG_VERSION')) && !existsSync(marker(layout))
}

const marker = (layout: Layout): string => `${layout.cluster}.initialising`
export const passwordFile = (layout: Layout): string => `${layout.cluster}.password`

export async function initialise(layout: Layout, stop?: AbortSignal): Promise<void> {
  const password = randomBytes(24).toString('base64url')
  const folder = mkdtempSync(join(tmpdir(), handoverName))
  writeFileSync(marker(layout), folder)
  rmSync(layout.cluster, { recursive: true, force: true })
  mkdirSync(layout.cluster, { mode: 0o700 })
  giveTo(layout.cluster, layout.user)
  writeFileSync(passwordFile(layout), password, { mode: 0o600 })
  const handover = join(folder, 'password')
  writeFileSync(handover, password, { mode: 0o600 })
  giveTo(folder, layout.user)
  giveTo(handover, layout.user)
  try {
    await runInitdb(layout, handover, stop)
    rmSync(marker(layout))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const handoverName = 'signalbox-init-'

/** A start that was killed while the files were made left the password in a temporary folder. */
export function removeHandover(layout: Layout): void {
  if (!existsSync(marker(layout))) return
  const folder = readFileSync(marker(layout), 'utf8')
  if (basename(folder).startsWith(handoverName)) rmSync(folder, { recursive: true, force: true })
}

async function runInitdb(layout: Layout, passwordPath: string, stop: AbortSignal | undefined): Promise<void> {
  const child = run(layout, 'initdb', [
    ...['-U', 'signalbox', '--auth=scram-sha-256', `--pwfile=${passwordPath}`],
    ...['--encoding=UTF8', '--locale=C', '--no-instructions'],
  ])
  const end = (): void => endHard(child, 'initdb')
  stop?.addEventListener('abort', end)
  const [code] = (await once(child, 'exit')) as [number | null]
  stop?.removeEventListener('abort', end)
  stop?.throwIfAborted()
  if (code !== 0)
    throw new StartFault(`The embedded PostgreSQL could not be created: ${lastLine(layout.logFile)}`)
}

/**
 * As root the server enters its folder before it gives up its rights and then calls it by
 * /proc/self/cwd, so no folder above needs to be open to its user.
 */
export function run(layout: Layout, program: 'initdb' | 'postgres', args: string[]): ChildProcess {
  const output = openSync(layout.logFile, 'a', 0o600)
  const isRootOnLinux = layout.user !== undefined && process.platform === 'linux'
  try {
    const child = spawn(
      join(layout.programs, program),
      ['-D', isRootOnLinux ? '/proc/self/cwd' : layout.cluster, ...args],
      {
        cwd: layout.cluster,
        stdio: ['ignore', output, output],
        // In a session of its own: Ctrl-C at the terminal must reach this process first.
        detached: true,
        env: { LC_ALL: 'C', TZ: 'UTC', ...(process.platform === 'win32' && { SystemRoot: 'C:\\Windows' }) },
        ...layout.user,
      },
    )
    endWithThisProcess(child, program)
    return child
  } finally {
    closeSync(output)
  }
}

/** It has a session of its own, so it would outlive this process. */
function endWithThisProcess(child: ChildProcess, program: 'initdb' | 'postgres'): void {
  const end = (): void => endHard(child, program)
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
}

/** initdb runs servers of its own, which end with its group; a server ends what it has started. */
function endHard({ pid }: ChildProcess, program: 'initdb' | 'postgres'): void {
  if (pid === undefined) return
  try {
    if (program === 'postgres') process.kill(pid, 'SIGQUIT')
    else process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

export function lastLine(file: string): string {
  try {
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    return lines.findLast((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? 'no message'
  } catch (error) {
    return messageOf(error)
  }
}
