import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { migrationNames } from '#kernel/db'
import { messageOf, StartFault } from '#kernel/errors'
import { endLine, header as headerSchema, type BackupHeader } from './format.ts'

/** Reads the file to its end before anything is changed: a damaged one must not leave half a database. */
export async function checkBackup(path: string): Promise<BackupHeader> {
  if (!existsSync(path)) throw new StartFault(`${path} does not exist.`)
  let first: string | undefined
  let last = ''
  try {
    for await (const line of backupLines(path)) {
      first ??= line
      last = line
    }
  } catch (error) {
    throw new StartFault(`${path} is not a Signalbox backup or is damaged (${messageOf(error)}).`, {
      cause: error,
    })
  }
  const header = readHeader(path, first ?? '')
  if (last !== endLine)
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

/** Everything between the header and the end. */
export async function* backupContent(path: string): AsyncGenerator<string> {
  let isHeader = true
  for await (const line of backupLines(path)) {
    if (!isHeader && line !== endLine) yield line
    isHeader = false
  }
}

/** SHA-256 of the unpacked content, to compare with what was written. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of unpacked(path)) hash.update(piece)
  return hash.digest('hex')
}

function backupLines(path: string): AsyncIterable<string> {
  return linesOf(unpacked(path))
}

function unpacked(path: string): AsyncIterable<Buffer> {
  const packed = createReadStream(path)
  const unzip = createGunzip()
  packed.once('error', (error) => unzip.destroy(error))
  return packed.pipe(unzip)
}

/**
 * Lines end at a line feed and nowhere else: texts may hold every other separator that readers of lines know, such as
 * U+2028, and PostgreSQL escapes only the line feed.
 */
export async function* linesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let parts: Buffer[] = []
  for await (const piece of pieces) {
    let start = 0
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, start)) {
      parts.push(piece.subarray(start, end))
      yield Buffer.concat(parts).toString()
      parts = []
      start = end + 1
    }
    if (start < piece.length) parts.push(piece.subarray(start))
  }
  if (parts.length > 0) yield Buffer.concat(parts).toString()
}
