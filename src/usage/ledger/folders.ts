import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { processStartTime } from '#kernel/datadir'

/**
 * Each process has a folder of its own under the journal, named after the process, so that others can tell whether
 * it still lives. A folder whose process is gone is taken over under a new name; of several that try, one succeeds.
 */
const form = /^(\d+)-(\w+)-[0-9a-f]{12}$/

/** Folders in use by this very process, which may hold more than one ledger. */
const inUse = new Set<string>()

export function newFolder(root: string): string {
  mkdirSync(root, { recursive: true, mode: 0o700 })
  const started = wordOf(processStartTime(process.pid) ?? '')
  const folder = join(root, `${process.pid}-${started}-${randomBytes(6).toString('hex')}`)
  inUse.add(folder)
  return folder
}

/** It is left to others, or gone. */
export function leaveFolder(folder: string): void {
  inUse.delete(folder)
}

/** Takes over the folders of dead processes and gives their new paths. */
export function takeLeftFolders(root: string): string[] {
  return readdirSync(root)
    .filter((name) => isLeft(root, name))
    .flatMap((name) => {
      const folder = newFolder(root)
      try {
        renameSync(join(root, name), folder)
        return [folder]
      } catch (error) {
        leaveFolder(folder)
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
        throw error
      }
    })
}

function isLeft(root: string, name: string): boolean {
  const [, pid, started] = form.exec(name) ?? []
  if (pid === undefined || inUse.has(join(root, name))) return false
  if (Number(pid) === process.pid) return true
  const running = processStartTime(Number(pid))
  return running === undefined || wordOf(running) !== started
}

/** Some systems tell the time as a sentence. */
function wordOf(text: string): string {
  return text.replaceAll(/\W+/g, '_') || 'unknown'
}
