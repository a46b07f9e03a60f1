import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { UsageError, type Command } from '#kernel/command'
import { loadConfig, type Config } from '#kernel/config'
import { findMasterKey } from '#kernel/datadir'
import { borrowDatabase, migrationState, openDatabase, type Target } from '#kernel/db'
import { messageOf, StartFault } from '#kernel/errors'
import { createLog, type Log } from '#kernel/log'
import { noteBackup } from '#limits'
import { version } from '#kernel/version'
import { masterKeyId, sealingKeyId } from '#vault'
import type { BackupHeader } from '../backup/format.ts'
import { tryRestore } from '../backup/restore.ts'
import { writeBackup } from '../backup/write.ts'

export const command: Command = {
  summary: 'Write everything into one file, while Signalbox runs or not',
  usage: [
    'FILE [--check] [--include-master-key] [--force] [--json]',
    '(--check also restores it into a temporary database, which needs space for all data in DATA_DIR)',
    '(without the master key the stored provider keys can be opened only where DATA_DIR/master.key or MASTER_KEY is the same)',
  ],
  options: {
    'include-master-key': { type: 'boolean' },
    force: { type: 'boolean' },
    check: { type: 'boolean' },
  },
  async run({ words: [file], flags, print }) {
    if (!file) throw new UsageError('Name the file to write.')
    const path = resolve(file)
    if (existsSync(path) && flags['force'] !== true)
      throw new StartFault(`${path} already exists. Choose another name, or add --force.`)
    const config = loadConfig()
    const log = await createLog({ level: 'error', form: 'json', destination: process.stderr })
    const provided = await borrowDatabase(config, log)
    let leftOut: string[]
    let restored: Awaited<ReturnType<typeof tryRestore>> | undefined
    try {
      const sealedBy = await readSealingKeyId(provided.target, log)
      const header = await makeHeader(config, provided.target, sealedBy, flags['include-master-key'] === true)
      leftOut = (await writeBackup(path, header, config.DATA_DIR, provided.target)).leftOut
      if (flags['check'] === true) restored = await tryRestore(path, config.DATA_DIR, log)
      await noteBackup(provided.target, log, null)
    } catch (error) {
      await noteBackup(provided.target, log, messageOf(error))
      throw error
    } finally {
      await provided.stop()
    }
    const { size } = await stat(path)
    const lines = [
      `Wrote ${path} (${size.toLocaleString('en')} bytes) and read it back.`,
      ...(restored
        ? [`Restored ${restored.rows} rows in ${restored.tables} tables into a temporary database.`]
        : []),
      ...(leftOut.length > 0
        ? [`Not in the backup, because they are not tables of Signalbox: ${leftOut.join(', ')}.`]
        : []),
    ]
    print(lines.join('\n'), { file: path, bytes: size, left_out: leftOut, ...(restored && { restored }) })
    return 0
  },
}

async function readSealingKeyId(target: Target, log: Log): Promise<string | null> {
  const database = openDatabase(target, log)
  try {
    return (await sealingKeyId(database)) ?? null
  } finally {
    await database.close()
  }
}

async function makeHeader(
  config: Config,
  target: Target,
  sealedBy: string | null,
  withMasterKey: boolean,
): Promise<BackupHeader> {
  const key = findMasterKey(config)
  if (withMasterKey && sealedBy !== null && (!key || masterKeyId(key) !== sealedBy)) {
    const found = key ? `the one here is ${masterKeyId(key)}` : 'there is none here'
    throw new StartFault(
      `The key store was sealed by the master key ${sealedBy}, but ${found}. Run the backup with the server's DATA_DIR or MASTER_KEY, or without --include-master-key.`,
    )
  }
  return {
    signalbox_backup: 1,
    version,
    migration: (await migrationState(target)).applied.at(-1) ?? null,
    created_at: new Date().toISOString(),
    master_key_id: sealedBy,
    master_key: withMasterKey ? (key?.reveal() ?? null) : null,
  }
}
