import { existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { UsageError, type Command } from '#kernel/command'
import { loadConfig, type Config } from '#kernel/config'
import { findMasterKey, prepareDataDir } from '#kernel/datadir'
import { borrowDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import { masterKeyId } from '#vault'
import type { BackupHeader } from '../backup/format.ts'
import { checkBackup } from '../backup/read.ts'
import { checkMasterKeyOf, restoreInto } from '../backup/restore.ts'

export const command: Command = {
  summary: 'Read a backup into an empty DATA_DIR or database',
  usage: ['FILE [--json]'],
  options: {},
  async run({ words: [file], print }) {
    if (!file) throw new UsageError('Name the backup file.')
    const path = resolve(file)
    const header = await checkBackup(path)
    checkMasterKeyOf(header)
    const config = loadConfig()
    prepareDataDir(config.DATA_DIR)
    const log = await createLog({ level: 'error', form: 'json', destination: process.stderr })
    const provided = await borrowDatabase(config, log)
    try {
      const filled = await restoreInto(provided.target, config.DATA_DIR, path, header)
      placeMasterKey(header, config.DATA_DIR)
      print(
        `Restored ${filled.rows} rows in ${filled.tables} tables from the backup of ${header.created_at}.${keyNote(header, config)}`,
        { ...filled, created_at: header.created_at },
      )
    } finally {
      await provided.stop()
    }
    return 0
  },
}

function placeMasterKey(header: BackupHeader, dataDir: string): void {
  const path = join(dataDir, 'master.key')
  if (header.master_key === null || existsSync(path)) return
  writeFileSync(path, `${header.master_key}\n`, { mode: 0o600, flag: 'wx' })
}

function keyNote({ master_key_id: sealedBy }: BackupHeader, config: Config): string {
  const key = findMasterKey(config)
  if (sealedBy === null || (key && masterKeyId(key) === sealedBy)) return ''
  return `\nThe provider keys in it were sealed by the master key ${sealedBy}, which is not here. Put the original master.key into ${config.DATA_DIR}, or set MASTER_KEY, before you start.`
}
