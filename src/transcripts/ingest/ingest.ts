import type pg from 'pg'
import { inTransaction, lockUntilCommit } from '#kernel/db'
import { sourceOf, smallPack, stateWithoutLines, type Deriver, type Taken } from '../derive/index.ts'
import type { TranscriptSearch } from '../search/index.ts'
import type { FilePage, RootName, Segment, SourceName, SourcePosition } from '../segment.ts'
import { dropChunks, lastChunk, saveBlobs, saveChunk, type ChunkRow } from '../store/chunk-store.ts'
import {
  addSource,
  advanceSource,
  ensureGroup,
  findSource,
  groupNo,
  listFiles,
  lockSource,
  markAllPresent,
  markMissing,
  markSessionsMissing,
  presentSources,
  type Db,
  type SourceRow,
} from '../store/source-store.ts'
import { isSideFile, notePresent } from './note-present.ts'
import { storeDerived } from './store-derived.ts'
import { withoutErased, type KeptLines } from './without-erased.ts'

export interface Ingest {
  position(groupId: string, source: SourceName): Promise<SourcePosition | null>
  take(groupId: string, segment: Segment): Promise<SourcePosition>
  files(groupId: string, root: RootName, cursor: string | null): Promise<FilePage>
  missing(groupId: string, source: SourceName): Promise<void>
}

export interface IngestDeps {
  pool: pg.Pool
  deriver: Deriver
  search: TranscriptSearch
  /** Whether what looks like a key is masked. */
  redact: boolean
}

/** Another process may store a segment of the same source at the same moment. */
const maxAttempts = 5

export function createIngest({ pool, deriver, search, redact }: IngestDeps): Ingest {
  return {
    async position(groupId, name) {
      const group = await groupNo(pool, groupId)
      const source = group === null ? undefined : await findSource(pool, group, name)
      return source === undefined ? null : positionOf(source)
    },
    async take(groupId, segment) {
      const group = await ensureGroup(pool, groupId)
      for (let attempt = 1; attempt <= maxAttempts; attempt++) {
        const position = await takeOnce(group, segment)
        if (position !== 'changed') return position
      }
      throw new Error('the source changes faster than it can be stored')
    },
    async files(groupId, root, cursor) {
      const group = await groupNo(pool, groupId)
      return group === null ? { paths: [], next: null } : listFiles(pool, group, root, cursor)
    },
    async missing(groupId, name) {
      const group = await groupNo(pool, groupId)
      if (group !== null) await noteMissing(group, name)
    },
  }

  async function noteMissing(group: number, name: SourceName): Promise<void> {
    await inTransaction(pool, async (client) => {
      await lockUntilCommit(client, assistantLock(group, name.assistant))
      const no = await markMissing(client, group, name)
      if (no === undefined || isSideFile(name)) return
      const present = await presentSources(client, no)
      const files = present.filter(({ path }) => !isSideFile({ assistant: name.assistant, path }))
      await markSessionsMissing(
        client,
        no,
        files.map((file) => file.no),
      )
    })
  }

  async function takeOnce(group: number, segment: Segment): Promise<SourcePosition | 'changed'> {
    const { assistant, source: kind } = sourceOf(segment.source.assistant, segment.source.path)
    await addSource(pool, group, segment, assistant.version)
    const source = await findSource(pool, group, segment.source)
    if (source === undefined) return 'changed'
    if (!isNext(source, segment)) return positionOf(source)
    const plan = await planOf(pool, source, segment, kind.form === 'document', assistant.version)
    const taken = await deriver.call({
      kind: 'take',
      input: {
        assistant: assistant.id,
        path: segment.source.path,
        state: plan.isNewGeneration ? null : source.parser_state,
        place: plan.place,
        orderBase: source.order_base,
        lines: segment.lines,
      },
      redact,
      isLate: plan.isLate,
      previous: plan.previous?.data ?? null,
    })
    return inTransaction<SourcePosition | 'changed'>(pool, async (client) => {
      await lockUntilCommit(client, assistantLock(group, assistant.id))
      const locked = await lockSource(client, source.no)
      if (locked === undefined || !isSame(locked, source)) return 'changed'
      const from = {
        group,
        assistant: assistant.id,
        machine: segment.source.machine,
        sourceNo: source.no,
        version: assistant.version,
        parentKey: kind.parentKey ?? null,
        bornAt: bornAt(segment),
      }
      const erased = taken.derived ? await storeDerived(client, search, from, taken.derived) : []
      const kept = await withoutErased(client, deriver, { from, segment, taken, erased })
      const lines = kept === null ? 0 : await keepLines(client, source, segment, plan, kept)
      await advanceSource(client, source.no, segment, progressOf(source, segment, taken, lines))
      // Sessions of a file that was there are not without one, but for those that it names for the first time.
      if (taken.derived) await notePresent(client, from, segment.source, taken.derived)
      if (locked.missing_at !== null && kind.role !== 'side-file') await markAllPresent(client, source.no)
      return positionAfter(segment)
    })
  }
}

/** Sessions, messages and counts of one assistant in one group are written by one transaction at a time. */
export function assistantLock(group: number, assistant: string): string {
  return `transcripts ${group} ${assistant}`
}

interface Plan {
  isNewGeneration: boolean
  isDocument: boolean
  /** Lines before these are not derived yet. */
  isLate: boolean
  /** The number of the first line within its generation. */
  place: number
  previous: ChunkRow | null
  last: ChunkRow | undefined
}

async function planOf(
  db: Db,
  source: SourceRow,
  segment: Segment,
  isDocument: boolean,
  version: number,
): Promise<Plan> {
  const isNewGeneration = segment.generation > source.generation
  const last = await lastChunk(db, source.no)
  const continues = last !== undefined && last.generation === segment.generation && !isDocument
  return {
    isNewGeneration,
    isDocument,
    // Where no lines are kept none come before these.
    isLate: source.lines > 0 && (source.derived < source.lines || source.parser_version !== version),
    place: continues ? last.place + last.lines : 0,
    previous: continues && last.bytes < smallPack ? last : null,
    last,
  }
}

async function keepLines(
  db: Db,
  source: SourceRow,
  segment: Segment,
  plan: Plan,
  { packed, blobs }: KeptLines,
): Promise<number> {
  if (segment.lines.length > 0) {
    if (plan.isDocument) await dropChunks(db, source.no)
    const at = plan.previous ?? {
      first_line: source.lines,
      generation: segment.generation,
      place: plan.place,
    }
    await saveChunk(db, source.no, at, packed)
  }
  await saveBlobs(db, source.group_no, source.no, blobs)
  return segment.lines.length
}

function progressOf(source: SourceRow, segment: Segment, { derived }: Taken, lines: number) {
  const total = source.lines + lines
  if (derived === null)
    return {
      lines: total,
      derived: source.derived,
      derivedGeneration: source.derived_generation,
      state: source.parser_state,
      orderBase: source.order_base,
    }
  return {
    lines: total,
    derived: total,
    derivedGeneration: segment.generation,
    state: total === 0 ? stateWithoutLines(derived.current) : derived.state,
    orderBase: derived.orderBase,
  }
}

function isNext(source: SourceRow, { generation, from }: Segment): boolean {
  if (generation === source.generation) return from === source.position
  return generation > source.generation && from === 0
}

function isSame(a: SourceRow, b: SourceRow): boolean {
  return (
    a.generation === b.generation &&
    a.position === b.position &&
    a.lines === b.lines &&
    a.derived === b.derived &&
    a.parser_version === b.parser_version &&
    // Lines of a deleted session were taken out of those that are kept.
    a.updated_at === b.updated_at
  )
}

function bornAt({ bornAt: text }: Segment): number | null {
  const at = Date.parse(text ?? '')
  return Number.isNaN(at) ? null : at
}

function positionOf(source: SourceRow): SourcePosition {
  return {
    generation: source.generation,
    offset: source.position,
    identity: source.identity,
    cursor: source.cursor,
    ...(source.tail_hash === null ? {} : { tailHash: source.tail_hash }),
  }
}

function positionAfter({ generation, to, identity, cursor, tailHash }: Segment): SourcePosition {
  return {
    generation,
    offset: to,
    identity,
    cursor: cursor ?? null,
    ...(tailHash === undefined ? {} : { tailHash }),
  }
}
