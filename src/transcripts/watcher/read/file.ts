import { createHash } from 'node:crypto'
import { constants, type BigIntStats } from 'node:fs'
import { open, realpath, type FileHandle } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { FileIdentity, SourceName } from '../../segment.ts'
import type { FileStamp } from './request.ts'

const sampleBytes = 4_096

export interface OpenFile {
  handle: FileHandle
  stat: BigIntStats
  stamp: FileStamp
}

/** Why a file cannot be opened; `outside` also covers links, devices and pipes. */
export type OpenFault = 'missing' | 'outside' | 'unreadable'

/** Opens a regular file below the root. No link is followed, neither the file nor a folder on the way. */
export async function openBelow({
  root,
  path,
}: Pick<SourceName, 'root' | 'path'>): Promise<OpenFile | OpenFault> {
  const file = join(root, path)
  let handle: FileHandle | undefined
  try {
    const real = await realpath(root)
    // Without O_NONBLOCK a pipe would wait for its writer.
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stat = await handle.stat({ bigint: true })
    const isInside =
      (await realpath(file)) === join(real, ...path.split('/')) && !path.split('/').includes('..')
    if (stat.isFile() && isInside) return { handle, stat, stamp: stampOf(stat) }
    await handle.close()
    return 'outside'
  } catch (error) {
    await handle?.close()
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing'
    return code === 'ELOOP' ? 'outside' : 'unreadable'
  }
}

export function stampOf(stat: BigIntStats): FileStamp {
  return { inode: String(stat.ino), size: Number(stat.size), modified: String(stat.mtimeNs) }
}

/** Fewer bytes than asked for: the file has become shorter. */
export async function readAt(handle: FileHandle, from: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, from + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export async function identify({ handle, stat }: OpenFile, bytes = sampleBytes): Promise<FileIdentity> {
  const head = await readAt(handle, 0, Math.min(bytes, Number(stat.size)))
  return {
    device: String(stat.dev),
    inode: String(stat.ino),
    headHash: sha256(head),
    headBytes: head.length,
  }
}

/** Of the last bytes before the offset. */
export async function tailHashAt(handle: FileHandle, offset: number): Promise<string> {
  const length = Math.min(sampleBytes, offset)
  return sha256(await readAt(handle, offset - length, length))
}

/** Whether the beginning and the bytes before the offset are still those that were read. */
export async function isSamePrefix(
  handle: FileHandle,
  identity: FileIdentity,
  offset: number,
  tailHash: string | undefined,
): Promise<boolean> {
  const head = await readAt(handle, 0, identity.headBytes)
  if (sha256(head) !== identity.headHash) return false
  return tailHash === undefined || (await tailHashAt(handle, offset)) === tailHash
}

export function bornAt(stat: BigIntStats): { bornAt?: string } {
  return stat.birthtimeNs > 0n ? { bornAt: stat.birthtime.toISOString() } : {}
}

export function toSlashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/')
}
