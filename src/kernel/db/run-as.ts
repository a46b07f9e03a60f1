import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { StartFault } from '#kernel/errors'

/** Whom the database server runs as: PostgreSQL refuses to run as root, so root hands it to a system user. */
export interface RunAs {
  uid: number
  gid: number
}

export function runAs(): RunAs | undefined {
  if (process.getuid?.() !== 0) return undefined
  const user = systemUser('postgres') ?? systemUser('nobody')
  if (user) return user
  throw new StartFault(
    'PostgreSQL cannot run as root, and this system has neither a user "postgres" nor "nobody". Run Signalbox as an ordinary user, or set DATABASE_URL.',
  )
}

function systemUser(name: string): RunAs | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined
}

export function giveTo(path: string, user: RunAs | undefined): void {
  if (user) chownSync(path, user.uid, user.gid)
}

/**
 * The folder with the server's programs, somewhere that user can reach. A clone under /root or in a
 * private temporary folder cannot be entered by anyone else, so the programs are copied out once.
 */
export function reachablePrograms(native: string, version: string, user: RunAs | undefined): string {
  if (!user || isReachableByAll(native)) return native
  const home = '/var/lib/signalbox'
  const copy = join(home, `postgres-${version}`)
  if (existsSync(copy)) return copy
  mkdirSync(home, { recursive: true, mode: 0o755 })
  const draft = `${copy}.${process.pid}`
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true })
  chmodSync(draft, 0o755)
  try {
    renameSync(draft, copy)
  } catch (error) {
    // Another process made the same copy in the meantime.
    if (!existsSync(copy)) throw error
  }
  return copy
}

function isReachableByAll(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o005) !== 0o005) return false
    if (folder === dirname(folder)) return true
  }
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
