import { randomBytes } from 'node:crypto'
import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { foreignTables, openDump, type Target } from '#kernel/db'
import { StartFault } from '#kernel/errors'
import { endLine, type BackupHeader } from './format.ts'
import { dumpJournal } from './journal.ts'
import { inOrder, isAsWritten, pack, type Member, type Packing } from './members.ts'

/** Each has a connection, and packs on a thread of its own. */
const connections = Math.max(2, Math.min(4, availableParallelism()))

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
  const members: Member[] = []
  try {
    await pipeline(
      Readable.from(written(content(header, dataDir, target), members), { objectMode: false }),
      createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }),
    )
    if (!(await isAsWritten(draft, members, connections)))
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

async function* content(header: BackupHeader, dataDir: string, target: Target): AsyncGenerator<Packing> {
  // Read before the snapshot of the tables is taken.
  yield pack(beginning(header, dataDir))
  const dump = await openDump(target, connections)
  try {
    yield* inOrder(dump.parts, connections, (part) => pack(dump.read(part)))
  } finally {
    await dump.close()
  }
  yield pack(Readable.from([`${endLine}\n`]))
}

async function* beginning(header: BackupHeader, dataDir: string): AsyncGenerator<string> {
  yield `${JSON.stringify(header)}\n`
  yield* dumpJournal(dataDir)
}

/** The packed bytes one after the other; notes where each member lies and what is in it. */
async function* written(packings: AsyncIterable<Packing>, members: Member[]): AsyncGenerator<Buffer> {
  let start = 0
  for await (const { packed, digest } of packings) {
    let end = start
    for await (const piece of packed) {
      end += (piece as Buffer).length
      yield piece as Buffer
    }
    members.push({ start, end, digest: digest() })
    start = end
  }
}
