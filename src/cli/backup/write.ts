import { createHash, randomBytes, type Hash } from 'node:crypto'
import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { dumpTables, foreignTables, type Target } from '#kernel/db'
import { StartFault } from '#kernel/errors'
import { endLine, type BackupHeader } from './format.ts'
import { dumpJournal } from './journal.ts'
import { digestOf } from './read.ts'

/**
 * Written beside its place, read back and renamed, so that a broken run never looks like a backup. Returns the tables
 * that are not Signalbox's and are not in it.
 */
export async function writeBackup(
  path: string,
  header: BackupHeader,
  dataDir: string,
  target: Target,
): Promise<{ leftOut: string[] }> {
  // A name that nobody can guess, made by this process alone: another user may be able to write to the folder.
  const draft = `${path}.${randomBytes(6).toString('hex')}.part`
  const hash = createHash('sha256')
  try {
    await pipeline(
      Readable.from(hashed(content(header, dataDir, target), hash)),
      createGzip(),
      createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }),
    )
    if ((await digestOf(draft)) !== hash.digest('hex'))
      throw new StartFault(
        `${path}: what was written cannot be read back. Check the disk, or write to another.`,
      )
    renameSync(draft, path)
    return { leftOut: await foreignTables(target) }
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

async function* content(
  header: BackupHeader,
  dataDir: string,
  target: Target,
): AsyncGenerator<string | Buffer> {
  yield `${JSON.stringify(header)}\n`
  yield* dumpJournal(dataDir)
  yield* dumpTables(target)
  yield `${endLine}\n`
}

async function* hashed(pieces: AsyncIterable<string | Buffer>, hash: Hash): AsyncGenerator<string | Buffer> {
  for await (const piece of pieces) {
    hash.update(piece)
    yield piece
  }
}
