import type { Assistant } from '../../assistants/index.ts'
import type { SourcePosition } from '../../segment.ts'
import { bornAt, identify, isSamePrefix, tailHashAt, type OpenFile } from './file.ts'
import { takeLines } from './lines.ts'
import type { ReadRequest, ReadResult } from './request.ts'

/** The next lines of a file that grows, or of its replacement from the beginning. */
export async function readLines(
  file: OpenFile,
  assistant: Assistant,
  request: ReadRequest,
): Promise<ReadResult> {
  const { handle, stat, stamp } = file
  const start = await startOf(file, request)
  if (stamp.size === start.offset && start.isContinued) return { kind: 'unchanged', stamp }
  const identity = await identify(file)
  const taken = await takeLines(handle, start.offset, assistant, request)
  const { to, lines, skipped, blobs, hasMore } = taken
  if (to === start.offset && start.isContinued) return { kind: 'unchanged', stamp }
  const tailHash = await tailHashAt(handle, to)
  const isSame =
    (await isSamePrefix(handle, identity, start.offset, start.tailHash)) &&
    Number((await handle.stat({ bigint: true })).size) >= to
  if (!isSame) return { kind: 'unsettled' }
  const { source } = request
  const { generation, offset: from } = start
  const place = { source, generation, from, to, identity, cursor: null, tailHash, ...bornAt(stat) }
  return { kind: 'segment', segment: { ...place, lines, skipped, blobs }, stamp, hasMore }
}

interface Start {
  generation: number
  offset: number
  /** False for a file that the archive has not seen, or not in this form. */
  isContinued: boolean
  tailHash?: string
}

/** Continues from the position of the archive; a replaced, shorter or edited file is read from its beginning. */
async function startOf(
  { handle, stat, stamp }: OpenFile,
  { position, isSuspect }: ReadRequest,
): Promise<Start> {
  if (position === null) return { generation: 0, offset: 0, isContinued: false }
  const { generation, offset, tailHash } = position
  const isSame = !isSuspect && (await isSameFile())
  if (isSame)
    return { generation, offset, isContinued: true, ...(tailHash === undefined ? {} : { tailHash }) }
  return { generation: generation + 1, offset: 0, isContinued: false }

  async function isSameFile(): Promise<boolean> {
    const { identity } = position as SourcePosition
    if (identity === null || identity.inode !== String(stat.ino) || stamp.size < offset) return false
    return isSamePrefix(handle, identity, offset, tailHash)
  }
}
