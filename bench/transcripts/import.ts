import { createReadStream, createWriteStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { pipeline } from 'node:stream/promises'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { databaseTime } from '../search/processor-time.ts'
import type { BenchProduct } from '../search/product.ts'
import { createDeriver } from '../../src/transcripts/derive/index.ts'
import { createIngest } from '../../src/transcripts/ingest/ingest.ts'
import { createTranscriptSearch } from '../../src/transcripts/search/index.ts'
import { generateSession, type GeneratedSession } from './generated-sessions.ts'

export interface Imported {
  messages: number
  /** Characters of the text that is kept. */
  text: number
  /** Bytes of the lines. */
  raw: number
  seconds: number
  /** Seconds of processor time of PostgreSQL and of this process: on a shared machine they say more than the clock. */
  database: number
  process: number
}

const linesPerSegment = 2_000
/** Files that are read at the same time: one is parsed while another is stored. */
const lanes = 2

/** Imports sessions as the watcher of the same machine does. */
export async function importSessions(
  { folder, database: { pool }, groupId }: BenchProduct,
  messages: number,
  progress: (done: number) => void,
): Promise<Imported> {
  const deriver = createDeriver()
  const search = createTranscriptSearch({ pool, deriver })
  const ingest = createIngest({ pool, deriver, search, redact: true })
  const total: Imported = { messages: 0, text: 0, raw: 0, seconds: 0, database: 0, process: 0 }
  const before = databaseTime(folder)
  const processBefore = process.cpuUsage()
  let generating = 0
  let next = 0
  const started = performance.now()
  await Promise.all(Array.from({ length: lanes }, lane))
  total.seconds = (performance.now() - started) / 1_000
  await search.close()
  await deriver.close()
  total.database = (databaseTime(folder) - before) / 1_000
  const used = process.cpuUsage(processBefore)
  total.process = (used.user + used.system - generating) / 1_000_000
  return total

  async function lane(): Promise<void> {
    while (total.messages < messages) {
      const number = next++
      const generated = process.threadCpuUsage()
      const session = generateSession(number)
      const { user, system } = process.threadCpuUsage(generated)
      generating += user + system
      await take(session)
      total.messages += session.messages
      total.text += session.text
      total.raw += session.lines.reduce((sum, line) => sum + line.length + 1, 0)
      if (number % 50 === 49) progress(total.messages)
    }
  }

  async function take({ path, lines }: GeneratedSession): Promise<void> {
    let from = 0
    for (let at = 0; at < lines.length; at += linesPerSegment) {
      const part = lines.slice(at, at + linesPerSegment)
      const to = from + part.reduce((sum, line) => sum + line.length + 1, 0)
      const source = { machine: 'bench', assistant: 'claude-code', root: '/home/dev/.claude', path } as const
      await ingest.take(groupId, {
        source,
        generation: 0,
        from,
        to,
        identity: null,
        cursor: null,
        lines: part,
        skipped: [],
        blobs: [],
      })
      from = to
    }
  }
}

export interface StoreSize {
  table: string
  bytes: number
}

export async function storeSizes({ database: { pool } }: BenchProduct): Promise<StoreSize[]> {
  const { rows } = await pool.query<StoreSize>(
    `select c.relname as table, pg_total_relation_size(c.oid)::float8 as bytes from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'transcripts' and c.relkind = 'r' order by 2 desc`,
  )
  return rows
}

/** Seconds of processor time that PostgreSQL needs to copy the rows of the messages into a table without an index. */
export async function bareCopy({ folder, database: { pool } }: BenchProduct): Promise<number> {
  const file = join(folder, 'messages.copy')
  const client = await pool.connect()
  try {
    await client.query('create temporary table bare_messages (like transcripts.messages)')
    const rows = client.query(copyTo('copy transcripts.messages to stdout (format binary)'))
    await pipeline(rows, createWriteStream(file))
    const before = databaseTime(folder)
    const copy = client.query(copyFrom('copy bare_messages from stdin (format binary)'))
    await pipeline(createReadStream(file), copy)
    return (databaseTime(folder) - before) / 1_000
  } finally {
    client.release(true)
    rmSync(file, { force: true })
  }
}
