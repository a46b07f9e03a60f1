import { createHash } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Transform } from 'node:stream'
import { request, type Dispatcher } from 'undici'
import { messageOf, StartFault } from '#kernel/errors'
import type { PublishedFile } from './catalog.ts'

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

export async function isWhole(path: string, { bytes, sha256 }: PublishedFile): Promise<boolean> {
  return existsSync(path) && statSync(path).size === bytes && (await sha256Of(path)) === sha256
}

export interface Download {
  url: string
  target: string
  file: PublishedFile
  dispatcher: Dispatcher
  /** Bytes of this file that are there now. */
  onProgress(done: number): void
}

const tries = 3

/** Into `….part`, from where it broke off; put in its place only when size and checksum are right. */
export async function download(wanted: Download): Promise<void> {
  const { target, file, url } = wanted
  const part = `${target}.part`
  mkdirSync(dirname(target), { recursive: true })
  for (let attempt = 1; sizeAt(part) < file.bytes; attempt += 1) {
    try {
      await fetchRest(wanted, part)
    } catch (error) {
      if (error instanceof StartFault) throw error
      if (attempt < tries) continue
      throw new StartFault(
        `${url} could not be fetched (${messageOf(error)}). ${sizeAt(part)} of ${file.bytes} bytes are kept: run the command again to continue. Without a connection, copy the model's files into a folder and name it in EMBEDDING_MODEL.`,
        { cause: error },
      )
    }
    if (attempt >= tries && sizeAt(part) < file.bytes)
      throw new StartFault(
        `${url} ended after ${sizeAt(part)} of ${file.bytes} bytes. Run the command again.`,
      )
  }
  const found = await sha256Of(part)
  if (sizeAt(part) !== file.bytes || found !== file.sha256) {
    rmSync(part)
    throw new StartFault(
      `${url} is not the file that was published: its checksum is ${found}, not ${file.sha256}. It was deleted; run the command again, or use another MODEL_SOURCE_URL.`,
    )
  }
  renameSync(part, target)
}

const sizeAt = (path: string): number => (existsSync(path) ? statSync(path).size : 0)

async function fetchRest({ url, file, dispatcher, onProgress }: Download, part: string): Promise<void> {
  const have = sizeAt(part)
  const headers = have > 0 ? { range: `bytes=${have}-` } : {}
  const response = await request(url, { dispatcher, headers })
  if (response.statusCode !== 200 && response.statusCode !== 206) {
    await response.body.dump()
    throw new Error(`it returned ${response.statusCode}`)
  }
  // A server that knows no ranges sends the whole file again.
  const isRest = response.statusCode === 206
  let done = isRest ? have : 0
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, pass) {
      done += chunk.length
      onProgress(Math.min(done, file.bytes))
      // More than was published cannot be right, and must not fill the disk.
      pass(
        done > file.bytes
          ? new StartFault(`${url} is longer than the ${file.bytes} bytes that were published.`)
          : null,
        chunk,
      )
    },
  })
  await pipeline(response.body, counting, createWriteStream(part, { flags: isRest ? 'a' : 'w' }))
}
