import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { messageOf, StartFault } from '#kernel/errors'

export interface DataDirLock {
  release(): void
}

const sqliteBusy = 5

/**
 * One Signalbox per data directory. The lock is the kernel's, on an open file that holds nothing: it also holds
 * against processes of other containers and ends with its process, however that ends, so it is never stale. Node has
 * no call for it, but SQLite takes exactly this lock. A second file says who holds it; the locked one must not be
 * opened again, since closing it would release the lock.
 */
export function lockDataDir(dataDir: string): DataDirLock {
  const holderFile = join(dataDir, 'signalbox.lock')
  const lock = takeLock(join(dataDir, 'data.lock'), dataDir, holderFile)
  writeFileSync(holderFile, JSON.stringify({ process: process.pid, host: hostname(), since: new Date() }), {
    mode: 0o600,
  })
  return {
    release() {
      // Before the lock is free: afterwards the file is the next holder's.
      rmSync(holderFile, { force: true })
      lock.close()
    },
  }
}

function takeLock(path: string, dataDir: string, holderFile: string): DatabaseSync {
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(path, { timeout: 0 })
    file.exec('pragma locking_mode = exclusive; pragma journal_mode = memory; begin exclusive')
    return file
  } catch (error) {
    file?.close()
    if ((error as { errcode?: number }).errcode !== sqliteBusy)
      throw new StartFault(
        `DATA_DIR: ${dataDir} cannot be locked (${messageOf(error)}), so another Signalbox could use it too. Set DATA_DIR to a folder on a file system with locks.`,
        { cause: error },
      )
    throw new StartFault(
      `DATA_DIR: another Signalbox (${holder(holderFile)}) is using ${dataDir}. Stop it, or set DATA_DIR to another folder.`,
    )
  }
}

function holder(path: string): string {
  try {
    const { process: id, host } = JSON.parse(readFileSync(path, 'utf8')) as { process: number; host: string }
    return `process ${id} on ${host}`
  } catch {
    // It was killed, or has just taken the lock.
    return 'unknown process'
  }
}
