import type { Deriver, PackedLines, Taken } from '../derive/index.ts'
import { sourceOf } from '../derive/index.ts'
import type { Blob, Segment, SourceName } from '../segment.ts'
import { chunkAt, saveChunk } from '../store/chunk-store.ts'
import { deletedKeys, type Owner } from '../store/session-store.ts'
import type { Db } from '../store/source-store.ts'

export interface KeptLines {
  packed: PackedLines
  blobs: Blob[]
}

interface StoredSegment {
  from: Owner
  segment: Segment
  taken: Taken
  /** Keys of the sessions in it that were deleted on request. */
  erased: readonly string[]
}

/** What is kept of a segment: nothing of sessions that were deleted; null when it is all theirs. */
export async function withoutErased(
  db: Db,
  deriver: Deriver,
  { from, segment, taken, erased }: StoredSegment,
): Promise<KeptLines | null> {
  const blobs = [...segment.blobs, ...taken.blobs]
  const whole = { packed: taken.packed, blobs }
  const { assistant, path } = segment.source
  const sessions = taken.derived?.sessions.length ?? 0
  if (sessions === 0) return (await isErased(db, from, segment.source, taken)) ? null : whole
  if (erased.length === 0) return whole
  if (erased.length === sessions) return null
  const left = await deriver.call({
    kind: 'blank',
    assistant,
    path,
    data: taken.packed.data,
    sessionKeys: [...erased],
  })
  const used = new Set(left.blobs)
  return { packed: left, blobs: blobs.filter(({ sha256 }) => used.has(sha256)) }
}

/**
 * Lines that tell of no session belong to that of the lines before them, or of their file. Rows of a database belong to
 * nobody, and a newer parser may know whose they are.
 */
async function isErased(
  db: Db,
  from: Owner,
  { assistant, path }: SourceName,
  { derived }: Taken,
): Promise<boolean> {
  const { source } = sourceOf(assistant, path)
  if (source.form === 'database' && source.sessionKey === null) return false
  const keys = [derived === null ? source.sessionKey : derived.current, source.parentKey ?? null]
  const named = keys.filter((key) => key !== null)
  return named.length > 0 && (await deletedKeys(db, from, named)).size > 0
}

/** Takes the lines of some sessions out of the stored run of lines in which a line is. */
export async function blankLines(
  db: Db,
  deriver: Deriver,
  { no, assistant, path }: { no: string } & Pick<SourceName, 'assistant' | 'path'>,
  line: number,
  sessionKeys: string[],
): Promise<void> {
  const chunk = await chunkAt(db, no, line)
  if (chunk === undefined) return
  const packed = await deriver.call({ kind: 'blank', assistant, path, data: chunk.data, sessionKeys })
  await saveChunk(db, no, chunk, packed)
}
