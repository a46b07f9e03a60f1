import { createReadStream, existsSync } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { migrationNames, SectionReader, type Section } from '#kernel/db'
import { messageOf, StartFault } from '#kernel/errors'
import { endLine, header as headerSchema, type BackupHeader } from './format.ts'

/** Reads the file to its end before anything is changed: a damaged one must not leave half a database. */
export async function checkBackup(path: string): Promise<BackupHeader> {
  if (!existsSync(path)) throw new StartFault(`${path} does not exist.`)
  let ends: Ends
  try {
    ends = await readEnds(unpacked(path))
  } catch (error) {
    throw new StartFault(`${path} is not a Signalbox backup or is damaged (${messageOf(error)}).`, {
      cause: error,
    })
  }
  const header = readHeader(path, ends.first)
  if (ends.last !== endLine)
    throw new StartFault(`${path} is cut off: its end is missing. Use another copy of the file.`)
  if (header.migration && !migrationNames().includes(header.migration)) {
    throw new StartFault(
      `${path} was made by a newer Signalbox (${header.version}). Restore it with that version.`,
    )
  }
  return header
}

function readHeader(path: string, line: string): BackupHeader {
  try {
    return headerSchema.parse(JSON.parse(line))
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error)
    throw new StartFault(`${path} is not a Signalbox backup (${reason}).`, { cause: error })
  }
}

interface Ends {
  first: string
  last: string
}

const maxEnd = 100_000

/** The first and the last line; everything between is unpacked, so that damage is found. */
async function readEnds(pieces: AsyncIterable<Buffer>): Promise<Ends> {
  let first = Buffer.alloc(0)
  let last = Buffer.alloc(0)
  for await (const piece of pieces) {
    if (first.length < maxEnd && !first.includes(10)) first = Buffer.concat([first, piece])
    last = Buffer.concat([last, piece]).subarray(-maxEnd)
  }
  const firstEnd = first.indexOf(10)
  const lines = last.toString().replace(/\n$/, '').split('\n')
  return { first: first.subarray(0, firstEnd < 0 ? maxEnd : firstEnd).toString(), last: lines.at(-1) ?? '' }
}

/** Everything between the header and the end. */
export async function* backupSections(path: string): AsyncGenerator<Section> {
  const reader = new SectionReader(unpacked(path))
  await reader.line()
  yield* reader.sections(endLine)
}

/** The file may have one gzip member or many. */
function unpacked(path: string): AsyncIterable<Buffer> {
  const packed = createReadStream(path, { highWaterMark: pieceBytes })
  const unzip = createGunzip({ chunkSize: pieceBytes })
  packed.once('error', (error) => unzip.destroy(error))
  return packed.pipe(unzip)
}

const pieceBytes = 262_144
