import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { SearchDocument } from '#kernel/search'
import { chunkText } from './chunk.ts'
import { identifierParts } from './identifiers.ts'
import { inWriteTransaction } from './write-lock.ts'

/** Documents of one kind and the chunks they are cut into. */

interface Chunk {
  number: number
  content: string
  hash: Buffer
}

const longestTitle = 300

/** Stores what is new or changed, and with it the cursor it came by. Says how many documents changed. */
export async function putDocuments(
  pool: pg.Pool,
  kind: string,
  documents: readonly SearchDocument[],
  cursor?: string,
): Promise<number> {
  const latest = [...new Map(documents.map(clean).map((document) => [document.id, document])).values()]
  return inWriteTransaction(pool, async (client) => {
    let changed = 0
    const stored = await selectStored(client, kind, latest)
    const same = new Set(latest.filter((document) => hasText(stored.get(document.id), document)))
    await movePlaces(client, kind, [...same])
    for (const document of latest)
      if (!same.has(document) && (await putDocument(client, kind, document, stored.get(document.id))))
        changed++
    if (cursor !== undefined)
      await client.query(
        `insert into search.kinds (kind, cursor) values ($1, $2)
         on conflict (kind) do update set cursor = excluded.cursor`,
        [kind, cursor],
      )
    return changed
  })
}

interface Stored {
  id: string
  hash: Buffer
  group_id: string | null
}

async function selectStored(
  client: pg.PoolClient,
  kind: string,
  documents: readonly SearchDocument[],
): Promise<Map<string, Stored>> {
  const { rows } = await client.query<Stored>(
    'select id, hash, group_id from search.documents where kind = $1 and id = any($2::text[])',
    [kind, documents.map(({ id }) => id)],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

const hasText = (stored: Stored | undefined, { groupId, title, text }: SearchDocument): boolean =>
  stored?.group_id === groupId && stored.hash.equals(hashOf(title, text))

/** Most documents that come again are an error that happens again: only the latest place of it is new. */
async function movePlaces(
  client: pg.PoolClient,
  kind: string,
  documents: readonly SearchDocument[],
): Promise<void> {
  if (documents.length === 0) return
  await client.query(
    `update search.documents set url = new.url, at = new.at
     from unnest($2::text[], $3::text[], $4::timestamptz[]) as new (id, url, at)
     where kind = $1 and documents.id = new.id and (documents.url, documents.at) is distinct from (new.url, new.at)`,
    [kind, documents.map(({ id }) => id), documents.map(({ url }) => url), documents.map(({ at }) => at)],
  )
}

async function putDocument(
  client: pg.PoolClient,
  kind: string,
  document: SearchDocument,
  before: Stored | undefined,
): Promise<boolean> {
  const { groupId, id, title, text, url, at } = document
  // Every chunk and sign row has the group; a document that moves to another group is inserted as new.
  if (before && before.group_id !== groupId) await deleteDocuments(client, kind, [id])
  // Records may outlive their group; nobody could find them, and they must not block the others.
  const { rowCount } = await client.query(
    `insert into search.documents (kind, id, group_id, title, url, at, hash)
     select $1, $2, $3, $4, $5, $6, $7
     where $3::uuid is null or exists (select from access.groups where id = $3)
     on conflict (kind, id) do update set title = excluded.title, url = excluded.url, at = excluded.at,
       hash = excluded.hash`,
    [kind, id, groupId, title, url, at, hashOf(title, text)],
  )
  if (rowCount === 0) return false
  await putChunks(client, kind, document)
  return true
}

/** Chunks that stayed the same keep their row and vectors: a conversation that grows is embedded at its end only. */
async function putChunks(client: pg.PoolClient, kind: string, document: SearchDocument): Promise<void> {
  const { rows } = await client.query<{ id: string; hash: Buffer }>(
    'select id, hash from search.chunks where kind = $1 and document_id = $2 order by number',
    [kind, document.id],
  )
  const kept = new Map(rows.map((row) => [row.hash.toString('hex'), row.id]))
  const wanted = chunksOf(document)
  const isNew = (chunk: Chunk): boolean => !kept.has(chunk.hash.toString('hex'))
  const stay = wanted.filter((chunk) => !isNew(chunk))
  const stayIds = stay.map((chunk) => kept.get(chunk.hash.toString('hex')) ?? '')
  await client.query(
    'delete from search.chunks where kind = $1 and document_id = $2 and not (id = any($3::bigint[]))',
    [kind, document.id, stayIds],
  )
  await client.query(
    `update search.chunks set number = new.number
     from unnest($1::bigint[], $2::integer[]) as new (id, number)
     where chunks.id = new.id and chunks.number <> new.number`,
    [stayIds, stay.map((chunk) => chunk.number)],
  )
  await insertChunks(client, kind, document, wanted.filter(isNew))
}

async function insertChunks(
  client: pg.PoolClient,
  kind: string,
  { id, groupId, title }: SearchDocument,
  chunks: readonly Chunk[],
): Promise<void> {
  if (chunks.length === 0) return
  await client.query(
    `insert into search.chunks (kind, document_id, group_id, number, content, hash, words)
     select $1, $2, $3, number, content, hash,
       setweight(to_tsvector('english', $4), 'A') || setweight(to_tsvector('english', content), 'B')
       || setweight(to_tsvector('english', parts), 'C')
     from unnest($5::integer[], $6::text[], $7::bytea[], $8::text[]) as new (number, content, hash, parts)
     order by number`,
    [
      ...[kind, id, groupId, title],
      chunks.map((chunk) => chunk.number),
      chunks.map((chunk) => chunk.content),
      chunks.map((chunk) => chunk.hash),
      chunks.map((chunk) => identifierParts(`${title} ${chunk.content}`)),
    ],
  )
}

function chunksOf({ title, text }: SearchDocument): Chunk[] {
  // A document without a text is found by its title.
  const contents = text.trim() === '' ? [title] : chunkText(text)
  const unique = new Map<string, Chunk>()
  for (const content of contents) {
    const hash = hashOf(title, content)
    const key = hash.toString('hex')
    if (!unique.has(key)) unique.set(key, { number: unique.size, content, hash })
  }
  return [...unique.values()]
}

/** PostgreSQL takes neither NUL nor half a surrogate pair, and other control characters only hinder. */
function clean(document: SearchDocument): SearchDocument {
  const printable = (text: string) => text.toWellFormed().replaceAll(/(?!\s)\p{Cc}/gu, ' ')
  const title = printable(document.title).trim().slice(0, longestTitle).toWellFormed()
  return { ...document, id: printable(document.id), title, text: printable(document.text) }
}

function hashOf(title: string, text: string): Buffer {
  return createHash('sha256').update(title).update('\0').update(text).digest()
}

export async function removeDocuments(pool: pg.Pool, kind: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await inWriteTransaction(pool, (client) => deleteDocuments(client, kind, ids))
}

async function deleteDocuments(client: pg.PoolClient, kind: string, ids: readonly string[]): Promise<void> {
  await client.query('delete from search.documents where kind = $1 and id = any($2::text[])', [kind, ids])
}
