import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartFault } from '#kernel/errors'
import { processStartTime } from './process-start.ts'

export interface DataDirLock {
  release(): void
}

interface Owner {
  pid: number
  started: string
}

/** One Signalbox a data directory. A lock left by a killed process is recognised by its start time and taken over. */
export function lockDataDir(dataDir: string): DataDirLock {
  const path = join(dataDir, 'signalbox.lock')
  const mine: Owner = { pid: process.pid, started: processStartTime(process.pid) ?? '' }
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, JSON.stringify(mine), { mode: 0o600 })
  try {
    while (!claim(draft, path)) clearStale(path, dataDir)
  } finally {
    rmSync(draft, { force: true })
  }
  return { release: () => rmSync(path, { force: true }) }
}

/** A hard link appears whole or not at all, so two starting together cannot both win. */
function claim(draft: string, path: string): boolean {
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function clearStale(path: string, dataDir: string): void {
  const owner = readOwner(path)
  if (owner && processStartTime(owner.pid) === owner.started) {
    throw new StartFault(
      `DATA_DIR: another Signalbox (process ${owner.pid}) is using ${dataDir}. Stop it, or set DATA_DIR to another folder.`,
    )
  }
  // Renamed first: of two that find it stale only one succeeds, the other looks again.
  try {
    renameSync(path, `${path}.stale-${process.pid}`)
    rmSync(`${path}.stale-${process.pid}`, { force: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

function readOwner(path: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Owner
  } catch {
    return undefined
  }
}
