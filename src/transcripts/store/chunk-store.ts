import type { PackedLines } from '../derive/index.ts'
import type { Blob } from '../segment.ts'
import type { Db } from './source-store.ts'

export interface ChunkRow {
  first_line: number
  generation: number
  place: number
  lines: number
  bytes: number
  data: Buffer
}

const columns = 'first_line::float8 as first_line, generation, place::float8 as place, lines, bytes, data'

export async function lastChunk(db: Db, sourceNo: string): Promise<ChunkRow | undefined> {
  const { rows } = await db.query<ChunkRow>(
    `select ${columns} from transcripts.chunks where source_no = $1 order by first_line desc limit 1`,
    [sourceNo],
  )
  return rows[0]
}

/** The run of lines that contains a line. */
export async function chunkAt(db: Db, sourceNo: string, line: number): Promise<ChunkRow | undefined> {
  const { rows } = await db.query<ChunkRow>(
    `select ${columns} from transcripts.chunks where source_no = $1 and first_line + lines > $2
     order by first_line limit 1`,
    [sourceNo, line],
  )
  return rows[0]
}

export async function listChunks(db: Db, sourceNo: string): Promise<number[]> {
  const { rows } = await db.query<{ first_line: number }>(
    'select first_line::float8 as first_line from transcripts.chunks where source_no = $1 order by first_line',
    [sourceNo],
  )
  return rows.map(({ first_line }) => first_line)
}

export async function saveChunk(
  db: Db,
  sourceNo: string,
  at: Pick<ChunkRow, 'first_line' | 'generation' | 'place'>,
  { data, lines, bytes }: PackedLines,
): Promise<void> {
  await db.query(
    `insert into transcripts.chunks (source_no, first_line, generation, place, lines, bytes, data)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (source_no, first_line) do update
       set lines = excluded.lines, bytes = excluded.bytes, data = excluded.data`,
    [sourceNo, at.first_line, at.generation, at.place, lines, bytes, Buffer.from(data)],
  )
}

/** Of a file that is rewritten whole only the newest version is kept. */
export async function dropChunks(db: Db, sourceNo: string): Promise<void> {
  await db.query('delete from transcripts.chunks where source_no = $1', [sourceNo])
}

export async function saveBlobs(
  db: Db,
  group: number,
  sourceNo: string,
  blobs: readonly Blob[],
): Promise<void> {
  for (const { sha256, mime, data } of blobs) {
    const hash = Buffer.from(sha256, 'hex')
    await db.query(
      `insert into transcripts.blobs (group_no, sha256, mime, data) values ($1, $2, $3, $4) on conflict do nothing`,
      [group, hash, mime, Buffer.from(data)],
    )
    await db.query(
      'insert into transcripts.source_blobs (source_no, sha256) values ($1, $2) on conflict do nothing',
      [sourceNo, hash],
    )
  }
}
