import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { createGunzip, createGzip } from 'node:zlib'

/*
 * The file is a series of gzip members, which every reader of gzip takes for one: so several connections can read and
 * several threads pack at the same time, and the file still holds its lines in one order.
 */

/** Where a member lies in the file, and the SHA-256 of what it unpacks to. */
export interface Member {
  start: number
  end: number
  digest: string
}

export interface Packing {
  packed: Readable
  /** Once everything is packed. */
  digest(): string
}

/** What may wait in memory, packed, for the members before it. */
const maxAhead = 8 * 1024 * 1024
/** Faster than the usual level 6, for a larger file. */
const level = 4

export function pack(pieces: AsyncIterable<string | Buffer>): Packing {
  const hash = createHash('sha256')
  async function* hashed(): AsyncGenerator<string | Buffer> {
    for await (const piece of pieces) {
      hash.update(piece)
      yield piece
    }
  }
  const gzip = createGzip({ level, readableHighWaterMark: maxAhead } as Parameters<typeof createGzip>[0])
  // An error destroys the packed side, and its reader gets the error.
  pipeline(Readable.from(hashed()), gzip, () => undefined)
  return { packed: gzip, digest: () => hash.digest('hex') }
}

/** Begins some ahead of the one that is read, and gives them in their order. */
export async function* inOrder<T, P>(
  parts: readonly T[],
  ahead: number,
  begin: (part: T) => P,
): AsyncGenerator<P> {
  const begun: P[] = []
  let next = 0
  while (next < parts.length || begun.length > 0) {
    while (begun.length < ahead && next < parts.length) begun.push(begin(parts[next++] as T))
    yield begun.shift() as P
  }
}

/** Reads every member back, several at a time. */
export async function isAsWritten(
  path: string,
  members: readonly Member[],
  atOnce: number,
): Promise<boolean> {
  const rest = [...members]
  let isSame = true
  const check = async (): Promise<void> => {
    for (let member = rest.shift(); member && isSame; member = rest.shift())
      if ((await digestOf(path, member)) !== member.digest) isSame = false
  }
  await Promise.all(Array.from({ length: atOnce }, check))
  return isSame
}

async function digestOf(path: string, { start, end }: Member): Promise<string> {
  const hash = createHash('sha256')
  const unpacked = createGunzip()
  pipeline(createReadStream(path, { start, end: end - 1 }), unpacked, () => undefined)
  try {
    for await (const piece of unpacked) hash.update(piece as Buffer)
  } catch {
    return ''
  }
  return hash.digest('hex')
}
