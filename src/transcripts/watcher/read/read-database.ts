import { join } from 'node:path'
import type { Assistant, Snapshot } from '../../assistants/index.ts'
import type { Blob, SkippedBytes } from '../../segment.ts'
import { cleanLine } from './clean.ts'
import { bornAt, identify, type OpenFile } from './file.ts'
import { limits, type ReadRequest, type ReadResult } from './request.ts'

/** The first bytes of every SQLite file; those behind them change with each transaction. */
const stableHeadBytes = 16
/** Of one snapshot: it has one cursor, so it is sent in one segment. */
const snapshotBytes = 6_291_456

/** The rows that changed since the archive's cursor. */
export async function readDatabase(
  file: OpenFile,
  assistant: Assistant,
  request: ReadRequest,
): Promise<ReadResult> {
  const { position, source } = request
  const { stamp, stat } = file
  const isSame = position !== null && position.identity?.inode === stamp.inode
  const generation = position === null ? 0 : position.generation + (isSame ? 0 : 1)
  const from = isSame ? position.offset : 0
  const path = join(source.root, source.path)
  const snapshot = snapshotOf(assistant, path, isSame ? position.cursor : null, request.maxLines ?? 500)
  if (snapshot === undefined) return { kind: 'skipped', reason: 'unreadable', bytes: stamp.size, stamp }
  if (snapshot.lines.length === 0) return { kind: 'unchanged', stamp }
  const identity = await identify(file, stableHeadBytes)
  const place = { source, generation, from, to: from + 1, identity, cursor: snapshot.cursor, ...bornAt(stat) }
  const segment = { ...place, ...cleaned(snapshot.lines, request.isRedacted) }
  return { kind: 'segment', segment, stamp, hasMore: snapshot.hasMore }
}

/** Rows may be large: then fewer of them make a snapshot. */
function snapshotOf(
  assistant: Assistant,
  path: string,
  cursor: unknown,
  maxRows: number,
): Snapshot | undefined {
  try {
    for (let rows = maxRows; ; rows = Math.ceil(rows / 4)) {
      const snapshot = assistant.snapshot?.(path, cursor, rows)
      const bytes = snapshot?.lines.reduce((sum, line) => sum + line.length, 0) ?? 0
      if (bytes <= snapshotBytes || rows === 1) return snapshot
    }
  } catch {
    // It is locked, damaged, or of an unknown layout.
    return undefined
  }
}

function cleaned(
  raw: string[],
  isRedacted: boolean,
): { lines: string[]; blobs: Blob[]; skipped: SkippedBytes[] } {
  const lines: string[] = []
  const blobs: Blob[] = []
  const skipped: SkippedBytes[] = []
  raw.forEach((each, position) => {
    const clean = cleanLine(each, isRedacted)
    if (clean.line.length > limits.lineBytes)
      skipped.push({ reason: 'too_long', bytes: each.length, position })
    else {
      lines.push(clean.line)
      blobs.push(...clean.blobs)
    }
  })
  return { lines, blobs, skipped }
}
