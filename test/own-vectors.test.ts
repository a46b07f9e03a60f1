import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '#test/database'
import { startProduct, temporaryFolder } from '#test/product'

type Query = (text: string, values: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>

interface Example {
  insertNotes(query: Query, url: string, key: string, bodies: string[]): Promise<void>
  nearestNotes(query: Query, url: string, key: string, question: string): Promise<Record<string, unknown>[]>
}

const page = readFileSync(join(import.meta.dirname, '../docs/search.md'), 'utf8')
const block = (language: string): string =>
  new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 's').exec(
    page.slice(page.indexOf('## Your own table')),
  )?.[1] ?? ''

async function loadExample(): Promise<Example> {
  const file = join(temporaryFolder(), 'example.ts')
  writeFileSync(file, block('ts'))
  return (await import(file)) as Example
}

const product = await startProduct({ RUNTIME: 'builtin' })
const bodies = ['The invoice is overdue', 'A recipe for rye bread', 'The night train to Vienna']

test('the example in the documents sends vectors of 768 numbers for a table of vector(768)', async () => {
  const { insertNotes, nearestNotes } = await loadExample()
  const sent: { text: string; values: unknown[] }[] = []
  const query: Query = async (text, values) => {
    sent.push({ text, values })
    return { rows: [] }
  }
  await insertNotes(query, product.url, product.key, bodies)
  await nearestNotes(query, product.url, product.key, 'how to bake bread')
  const [stored, model, vectors] = (sent[0]?.values ?? []) as [string[], string, string[]]
  assert.deepEqual(stored, bodies)
  assert.equal(typeof model, 'string')
  for (const vector of vectors) assert.equal((JSON.parse(vector) as number[]).length, 768)
  const asked = JSON.parse(sent[1]?.values[0] as string) as number[]
  const nearest = vectors
    .map((vector, index) => ({ index, dot: dot(JSON.parse(vector) as number[], asked) }))
    .toSorted((a, b) => b.dot - a.dot)
  assert.equal(bodies[nearest[0]?.index ?? -1], 'A recipe for rye bread')
})

test('the example runs where the server has pgvector', async (context) => {
  const target = await createTestDatabase()
  const client = new pg.Client({ ...target.address, database: target.database })
  await client.connect()
  try {
    const there = await client.query(`select from pg_available_extensions where name = 'vector'`)
    if (there.rowCount === 0) return context.skip('this server has no pgvector')
    await client.query(block('sql'))
    const { insertNotes, nearestNotes } = await loadExample()
    const query: Query = (text, values) => client.query(text, values)
    await insertNotes(query, product.url, product.key, bodies)
    const [first] = await nearestNotes(query, product.url, product.key, 'how to bake bread')
    assert.equal(first?.['body'], 'A recipe for rye bread')
  } finally {
    await client.end()
  }
})

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
}
