import { chmodSync, globSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { lockDataDir } from '#kernel/datadir'
import { createLog } from '#kernel/log'
import { stopLeftover } from '../../src/kernel/db/leftover.ts'

const prefix = 'signalbox-run-'
/** A run that has just begun may not hold its lock yet. */
const youngMs = 60_000

/** A run keeps about 1 GB at a time. */
const neededBytes = 6 * 1024 ** 3

/**
 * Several hundred databases are made and dropped in a run: on a busy disk that alone makes it four times as long.
 * Undefined where the system has no such folder, or not enough of it, as in most containers.
 */
function memoryFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize >= neededBytes ? '/dev/shm' : undefined
  } catch {
    return undefined
  }
}

/**
 * One temporary folder for everything that a run of tests makes, in all its processes. It is removed at the end; what
 * a killed run has left is removed by the next one.
 */
export async function openRunFolder(): Promise<{ folder: string; remove(): Promise<void> }> {
  const base = memoryFolder() ?? tmpdir()
  await removeAbandoned(base)
  const folder = mkdtempSync(join(base, prefix))
  // As root, the database server runs as another user and has its socket in here.
  chmodSync(folder, 0o711)
  const lock = lockDataDir(folder)
  const before = tmpdir()
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder
  // A process that is just ending may still write to it.
  const clear = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  process.once('exit', clear)
  return {
    folder,
    async remove() {
      await endServersIn(folder)
      lock.release()
      clear()
      for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = before
    },
  }
}

async function removeAbandoned(base: string): Promise<void> {
  for (const name of readdirSync(base).filter((each) => each.startsWith(prefix))) {
    const folder = join(base, name)
    try {
      if (Date.now() - statSync(folder).mtimeMs < youngMs) continue
      // Its run holds the lock for as long as it lives.
      lockDataDir(folder).release()
    } catch {
      continue
    }
    await endServersIn(folder)
    rmSync(folder, { recursive: true, force: true })
  }
}

const users = new Map<string, Set<() => Promise<unknown>>>()

/** Hooks of a file run in the order in which they were made: what uses a folder would lose it before it ends. */
export function endBeforeFolder(folder: string, end: () => Promise<unknown>): void {
  const known = users.get(folder) ?? new Set()
  users.set(folder, known.add(end))
}

export async function endUsersOf(folder: string): Promise<void> {
  await Promise.all([...(users.get(folder) ?? [])].map((end) => end()))
  users.delete(folder)
}

/** Database servers whose Signalbox was killed. */
export async function endServersIn(folder: string): Promise<void> {
  const log = await createLog({ level: 'silent', form: 'json' })
  const found = globSync('{,*/,*/*/,*/*/*/}postgres/postmaster.pid', { cwd: folder })
  for (const file of found) await stopLeftover(dirname(join(folder, file)), log)
}
