import { open, type FileHandle } from 'node:fs/promises'
import { nextFrameAfter, readFrame, recordTypes, type Frame } from './frame.ts'
import type { WaitingRow } from './source.ts'

/** Consecutive records of a segment. */
export interface Chunk {
  frames: Frame[]
  /** Where the next chunk begins. */
  end: number
  damage: Damage | undefined
}

export interface Damage {
  at: number
  /** Offset of the next valid record; the end of the segment when there is none. */
  until: number
  /** Only the last record is incomplete, as after a power failure; no complete record is lost. */
  isTorn: boolean
}

const chunkBytes = 1024 * 1024
const maxChunkFrames = 2_000

/** Reads about a mebibyte of records from an offset where a record begins, not beyond `limit`. */
export async function readChunk(path: string, from: number, limit: number): Promise<Chunk> {
  const file = await open(path, 'r')
  try {
    const bytes = await readBytes(file, from, Math.min(limit, from + chunkBytes))
    const { frames, end } = framesIn(bytes)
    if (frames.length > 0 || bytes.length === 0) return { frames, end: from + end, damage: undefined }
    return readRest(await readBytes(file, from, limit), from)
  } finally {
    await file.close()
  }
}

/** The settled requests among the records. */
export function rowsIn(frames: readonly Frame[]): WaitingRow[] {
  return frames
    .filter(({ type }) => type === recordTypes.settle)
    .map(({ id, payload }) => ({ id, record: payload }))
}

/** Reads the rest of a segment where the next record is damaged or longer than a chunk. */
function readRest(bytes: Buffer, from: number): Chunk {
  const { frames, end } = framesIn(bytes)
  if (frames.length > 0) return { frames, end: from + end, damage: undefined }
  const next = nextFrameAfter(bytes, 0)
  const until = next ?? bytes.length
  const isTorn = next === undefined && (readFrame(bytes, 0) === 'short' || bytes.every((byte) => byte === 0))
  return { frames, end: from + until, damage: { at: from, until: from + until, isTorn } }
}

function framesIn(bytes: Buffer): { frames: Frame[]; end: number } {
  const frames: Frame[] = []
  let end = 0
  while (frames.length < maxChunkFrames) {
    const frame = readFrame(bytes, end)
    if (typeof frame === 'string') break
    frames.push(frame)
    end = frame.end
  }
  return { frames, end }
}

async function readBytes(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(to - from)
  let read = 0
  while (read < bytes.length) {
    const { bytesRead } = await file.read(bytes, read, bytes.length - read, from + read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return bytes.subarray(0, read)
}
