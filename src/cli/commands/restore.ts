import { createReadStream, existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { UsageError, type Command } from '#kernel/command'
import { loadConfig } from '#kernel/config'
import { prepareDataDir } from '#kernel/datadir'
import { borrowDatabase, fillTables, migrate, migrationNames } from '#kernel/db'
import { messageOf, StartFault } from '#kernel/errors'
import { createLog } from '#kernel/log'
import type { BackupHeader } from './backup.ts'

export const command: Command = {
  summary: 'Read a backup into an empty DATA_DIR or database',
  usage: ['FILE [--json]'],
  options: {},
  async run({ words: [file], print }) {
    if (!file) throw new UsageError('Name the backup file.')
    const path = resolve(file)
    const header = await checkWhole(path)
    const config = loadConfig()
    prepareDataDir(config.DATA_DIR)
    placeMasterKey(header, config.DATA_DIR)
    const log = await createLog({ level: 'error', form: 'json', destination: process.stderr })
    const provided = await borrowDatabase(config, log)
    try {
      // The tables as they were when the backup was made, then forward to today's.
      if (header.migration) await migrate(provided.target, header.migration)
      const filled = await fillTables(provided.target, tableLines(path))
      await migrate(provided.target)
      print(
        `Restored ${filled.rows} rows in ${filled.tables} tables from the backup of ${header.created_at}.`,
        { ...filled, created_at: header.created_at },
      )
    } finally {
      await provided.stop()
    }
    return 0
  },
}

/** Reads the file to its end before anything is changed: a damaged one must not leave half a database. */
async function checkWhole(path: string): Promise<BackupHeader> {
  if (!existsSync(path)) throw new StartFault(`${path} does not exist.`)
  let header: BackupHeader | undefined
  let last = ''
  try {
    for await (const line of linesOf(path)) {
      header ??= JSON.parse(line) as BackupHeader
      last = line
    }
  } catch (error) {
    throw new StartFault(`${path} is not a Signalbox backup or is damaged (${messageOf(error)}).`, {
      cause: error,
    })
  }
  if (header?.signalbox_backup !== 1) throw new StartFault(`${path} is not a Signalbox backup.`)
  if (last !== '{"end":true}')
    throw new StartFault(`${path} is cut off: its end is missing. Use another copy of the file.`)
  if (header.migration && !migrationNames().includes(header.migration)) {
    throw new StartFault(
      `${path} was made by a newer Signalbox (${header.version}). Restore it with that version.`,
    )
  }
  return header
}

function placeMasterKey(header: BackupHeader, dataDir: string): void {
  const path = join(dataDir, 'master.key')
  if (header.master_key === null || existsSync(path)) return
  writeFileSync(path, `${header.master_key}\n`, { mode: 0o600, flag: 'wx' })
}

async function* tableLines(path: string): AsyncGenerator<string> {
  let isHeader = true
  for await (const line of linesOf(path)) {
    if (!isHeader && line !== '{"end":true}') yield line
    isHeader = false
  }
}

function linesOf(path: string): AsyncIterable<string> {
  const unzipped = createReadStream(path).pipe(createGunzip())
  const lines = createInterface({ input: unzipped, crlfDelay: Infinity })
  // readline swallows errors of its input; pass them to the reader.
  return {
    async *[Symbol.asyncIterator]() {
      let failure: Error | undefined
      unzipped.once('error', (error) => {
        failure = error
        lines.close()
      })
      yield* lines
      if (failure) throw failure
    },
  }
}
