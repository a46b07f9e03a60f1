import { setTimeout as sleep } from 'node:timers/promises'
import { putDocuments } from '../../src/search/document-store.ts'
import { createCorpus } from './corpus.ts'
import type { BenchProduct } from './product.ts'

export interface Filled {
  documents: number
  chunks: number
  storedSeconds: number
  embeddedSeconds: number
  sizes: { table: string; size: string }[]
}

/** Writes documents until there are enough chunks, and waits until the product has embedded them. */
export async function fillIndex(
  { database: { pool }, groupId }: BenchProduct,
  wanted: number,
): Promise<Filled> {
  const corpus = createCorpus(1)
  const started = performance.now()
  let documents = 0
  const count = async (): Promise<number> =>
    (await pool.query<{ n: number }>('select count(*)::integer as n from search.chunks')).rows[0]?.n ?? 0
  while ((await count()) < wanted) {
    const batch = Array.from({ length: 200 }, () => ({
      groupId,
      id: `document ${documents++}`,
      title: corpus.title(),
      text: corpus.document(12),
      url: '/',
      at: new Date(),
    }))
    await putDocuments(pool, 'note', batch)
  }
  const stored = performance.now()
  while (await isWaiting(pool)) await sleep(500)
  const embedded = performance.now()
  await pool.query('vacuum analyze')
  const { rows } = await pool.query<{ table: string; size: string }>(
    `select relname as "table", pg_size_pretty(pg_total_relation_size(oid)) as size from pg_class
     where relnamespace = 'search'::regnamespace and relkind = 'r' and relname in ('chunks', 'signs', 'vectors')
     order by 1`,
  )
  return {
    documents,
    chunks: await count(),
    storedSeconds: Math.round((stored - started) / 1_000),
    embeddedSeconds: Math.round((embedded - started) / 1_000),
    sizes: rows,
  }
}

async function isWaiting(pool: BenchProduct['database']['pool']): Promise<boolean> {
  const { rows } = await pool.query<{ waiting: boolean }>(
    `select exists (
       select from search.chunks where id > (select max(embedded_through) from search.models)
     ) as waiting`,
  )
  return rows[0]?.waiting ?? true
}
