import assert from 'node:assert/strict'
import type { Product } from '#test/product'

const tables = [
  'CREATE TABLE IF NOT EXISTS orders (id int PRIMARY KEY, user_id int)',
  'CREATE TABLE IF NOT EXISTS customers (id int PRIMARY KEY, email text)',
]

const shop = { name: 'shop', url: 'postgresql://user:password@127.0.0.1:5432/shop' }

/** Makes what the calls of a page expect to be there, and gives the variables that they read. */
export async function prepare({ call, url }: Product, calls: string): Promise<Record<string, string>> {
  if (/\/sql\/(?:execute|migrate)/.test(calls))
    for (const sql of tables)
      await call('/api/v1/sql/execute', { json: { database: 'application', sql, reason: 'For the page' } })
  if (calls.includes('"shop"')) {
    await call('/api/v1/sql/databases/shop', { method: 'DELETE' })
    // Where the calls do not add it themselves.
    if (!calls.includes('/sql/databases')) await call('/api/v1/sql/databases', { json: shop })
  }
  if (!calls.includes('$SECRET')) return {}
  const { status, json } = await call('/api/webhooks', { json: { kind: 'generic', name: 'Builds' } })
  assert.equal(status, 201)
  return { URL: new URL(json.url, url).href, SECRET: json.secret }
}
