import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fillTables, migrate, startEmbedded, type Target } from '#kernel/db'
import { StartFault } from '#kernel/errors'
import { Secret, type Log } from '#kernel/log'
import { masterKeyId } from '#vault'
import type { BackupHeader } from './format.ts'
import { placeJournal, stageJournal } from './journal.ts'
import { backupSections, checkBackup } from './read.ts'

export interface Restored {
  tables: number
  rows: number
}

/** Fills an empty database: the tables as they were when the backup was made, then forward to today's. */
export async function restoreInto(
  target: Target,
  dataDir: string,
  path: string,
  header: BackupHeader,
): Promise<Restored> {
  if (header.migration) await migrate(target, header.migration)
  const filled = await fillTables(target, stageJournal(dataDir, backupSections(path)))
  placeJournal(dataDir)
  await migrate(target)
  return filled
}

/** A wrong key would be noticed only when the server starts, after the restore. */
export function checkMasterKeyOf({ master_key: key, master_key_id: id }: BackupHeader): void {
  if (key === null || id === null || masterKeyId(new Secret(key)) === id) return
  throw new StartFault(
    `The backup says that the master key ${id} sealed its secrets, but has another one. Use another copy of the file.`,
  )
}

/** Restores into a database that exists only for this, so that neither its space nor its load falls on the real one. */
export async function tryRestore(path: string, dataDir: string, log: Log): Promise<Restored> {
  const header = await checkBackup(path)
  checkMasterKeyOf(header)
  const folder = mkdtempSync(join(dataDir, 'backup-check-'))
  try {
    const server = await startEmbedded({ dataDir: folder, log })
    try {
      const target: Target = { kind: 'embedded', address: server.address, database: 'status' }
      return await restoreInto(target, folder, path, header)
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
