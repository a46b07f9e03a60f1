import { open, type FileHandle } from 'node:fs/promises'
import { nextFrameAfter, readFrame, recordTypes, type Frame } from './frame.ts'
import type { WaitingRow } from './source.ts'

/** Records read from a segment, one after the other. */
export interface Piece {
  frames: Frame[]
  /** Where to read on. */
  end: number
  damage: Damage | undefined
}

export interface Damage {
  at: number
  /** Where whole records begin again; the end of the segment when there are none. */
  until: number
  /** The last record was cut off, as by a power failure: nothing that was whole is lost. */
  isTorn: boolean
}

const pieceBytes = 1024 * 1024
const pieceFrames = 2_000

/** Reads on in a segment from one record's beginning, up to about a mebibyte, not beyond `limit`. */
export async function readPiece(path: string, from: number, limit: number): Promise<Piece> {
  const file = await open(path, 'r')
  try {
    const bytes = await readBytes(file, from, Math.min(limit, from + pieceBytes))
    const { frames, end } = framesIn(bytes)
    if (frames.length > 0 || bytes.length === 0) return { frames, end: from + end, damage: undefined }
    return rest(await readBytes(file, from, limit), from)
  } finally {
    await file.close()
  }
}

/** The requests that ended, among the records. */
export function rowsIn(frames: readonly Frame[]): WaitingRow[] {
  return frames
    .filter(({ type }) => type === recordTypes.settle)
    .map(({ id, payload }) => ({ id, record: payload }))
}

/** The rest of a segment that begins with a very long record, or with damage. */
function rest(bytes: Buffer, from: number): Piece {
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
  while (frames.length < pieceFrames) {
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
