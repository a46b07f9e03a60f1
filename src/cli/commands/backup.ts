import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { UsageError, type Command } from '#kernel/command'
import { loadConfig, type Config } from '#kernel/config'
import { masterKey } from '#kernel/datadir'
import { borrowDatabase, dumpTables, migrationState, type Target } from '#kernel/db'
import { StartFault } from '#kernel/errors'
import { createLog } from '#kernel/log'
import { version } from '#kernel/version'

/** The first line of a backup; the last one, `end`, proves that the file is whole. */
export interface BackupHeader {
  signalbox_backup: 1
  version: string
  migration: string | null
  created_at: string
  master_key_id: string
  master_key: string | null
}

export const command: Command = {
  summary: 'Write everything into one file, while Signalbox runs or not',
  usage: [
    'FILE [--include-master-key] [--force] [--json]',
    '(without the master key the stored provider keys can be opened only where DATA_DIR/master.key or MASTER_KEY is the same)',
  ],
  options: { 'include-master-key': { type: 'boolean' }, force: { type: 'boolean' } },
  async run({ words: [file], flags, print }) {
    if (!file) throw new UsageError('Name the file to write.')
    const path = resolve(file)
    if (existsSync(path) && flags['force'] !== true)
      throw new StartFault(`${path} exists already. Choose another name, or add --force.`)
    const config = loadConfig()
    const log = await createLog({ level: 'error', form: 'json', destination: process.stderr })
    const provided = await borrowDatabase(config, log)
    try {
      await writeBackup(path, config, provided.target, flags['include-master-key'] === true)
    } finally {
      await provided.stop()
    }
    const { size } = await stat(path)
    print(`Wrote ${path} (${size.toLocaleString('en')} bytes).`, { file: path, bytes: size })
    return 0
  },
}

/** Written beside its place and renamed, so that a broken run never looks like a backup. */
async function writeBackup(
  path: string,
  config: Config,
  target: Target,
  withMasterKey: boolean,
): Promise<void> {
  const draft = `${path}.part`
  const key = masterKey(config)
  const header: BackupHeader = {
    signalbox_backup: 1,
    version,
    migration: (await migrationState(target)).applied.at(-1) ?? null,
    created_at: new Date().toISOString(),
    master_key_id: createHash('sha256')
      .update(Buffer.from(key.reveal(), 'base64'))
      .digest('hex')
      .slice(0, 16),
    master_key: withMasterKey ? key.reveal() : null,
  }
  try {
    await pipeline(
      Readable.from(content(header, target)),
      createGzip(),
      createWriteStream(draft, { mode: 0o600 }),
    )
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

async function* content(header: BackupHeader, target: Target): AsyncGenerator<string | Buffer> {
  yield `${JSON.stringify(header)}\n`
  yield* dumpTables(target)
  yield '{"end":true}\n'
}
