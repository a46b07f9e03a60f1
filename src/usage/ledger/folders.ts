import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { processStartTime } from '#kernel/datadir'

/**
 * Each process has its own folder under the journal, named after the process, so that others can check whether it is
 * still running. An orphaned folder is claimed by renaming it; of several processes that try, one succeeds.
 */
const folderName = /^(\d+)-(\w+)-[0-9a-f]{12}$/

/** Folders in use by this process, which may have more than one ledger. */
const inUse = new Set<string>()

export function newFolder(root: string): string {
  mkdirSync(root, { recursive: true, mode: 0o700 })
  const started = fileNameOf(processStartTime(process.pid) ?? '')
  const folder = join(root, `${process.pid}-${started}-${randomBytes(6).toString('hex')}`)
  inUse.add(folder)
  return folder
}

/** The folder was deleted, or another process may claim it. */
export function releaseFolder(folder: string): void {
  inUse.delete(folder)
}

/** Claims the folders of processes that have ended and returns their new paths. */
export function claimOrphanFolders(root: string): string[] {
  return readdirSync(root)
    .filter((name) => isOrphaned(root, name))
    .flatMap((name) => {
      const folder = newFolder(root)
      try {
        renameSync(join(root, name), folder)
        return [folder]
      } catch (error) {
        releaseFolder(folder)
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
        throw error
      }
    })
}

function isOrphaned(root: string, name: string): boolean {
  const [, pid, started] = folderName.exec(name) ?? []
  if (pid === undefined || inUse.has(join(root, name))) return false
  if (Number(pid) === process.pid) return true
  const running = processStartTime(Number(pid))
  return running === undefined || fileNameOf(running) !== started
}

/** Some systems report the start time with spaces and colons. */
function fileNameOf(text: string): string {
  return text.replaceAll(/\W+/g, '_') || 'unknown'
}
