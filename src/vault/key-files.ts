import { randomBytes } from 'node:crypto'
import { closeSync, fchownSync, fsyncSync, linkSync, openSync } from 'node:fs'
import { readFileSync, renameSync, statSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { syncFolder } from '#kernel/datadir'
import { Secret } from '#kernel/log'

/**
 * The master key as files of the data directory. `master.key` is the current one. While it is being changed
 * `master.key.next` holds its successor, so that both keys are complete on disk at every moment.
 */
export interface KeyFiles {
  path: string
  nextPath: string
  retiredPath(id: string): string
  /** Reads the successor first: a swap between the two reads would otherwise hide it. */
  read(): { next: Secret | undefined; current: Secret | undefined }
  writeNext(key: Secret): void
  /** Keeps the former key next to its successor: older backups still need it. */
  retire(id: string): void
  /** Makes the successor the current key. */
  swap(): void
}

export function createKeyFiles(dataDir: string): KeyFiles {
  const path = join(dataDir, 'master.key')
  const nextPath = `${path}.next`
  const retiredPath = (id: string): string => `${path}.retired-${id}`
  return {
    path,
    nextPath,
    retiredPath,
    read() {
      const next = readKey(nextPath)
      return { next, current: readKey(path) }
    },
    writeNext(key) {
      const draft = `${path}.part`
      const file = openSync(draft, 'w', 0o600)
      giveToOwnerOf(path, file)
      writeSync(file, `${key.reveal()}\n`)
      fsyncSync(file)
      closeSync(file)
      renameSync(draft, nextPath)
      syncFolder(dataDir)
    },
    retire(id) {
      ignoring('EEXIST', () => linkSync(path, retiredPath(id)))
      syncFolder(dataDir)
    },
    swap() {
      ignoring('ENOENT', () => renameSync(nextPath, path))
      syncFolder(dirname(path))
    },
  }
}

export function newMasterKey(): Secret {
  return new Secret(randomBytes(32).toString('base64'))
}

/** Undefined if there is none. A damaged one counts as none, and the check at start reports what is missing. */
function readKey(path: string): Secret | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim()
    return /^[A-Za-z0-9+/]{43}=$/.test(text) ? new Secret(text) : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** A command run by root must not take the key away from the user whom Signalbox runs as. */
function giveToOwnerOf(path: string, file: number): void {
  const { uid, gid } = statSync(path, { throwIfNoEntry: false }) ?? {}
  if (process.getuid?.() === 0 && uid !== undefined && gid !== undefined) fchownSync(file, uid, gid)
}

function ignoring(code: string, act: () => void): void {
  try {
    act()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== code) throw error
  }
}
