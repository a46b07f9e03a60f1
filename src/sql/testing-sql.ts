import { after } from 'node:test'
import pg from 'pg'
import { administer } from '#test/database'
import type { Ask } from '#test/people'
import { startProduct, type Answer, type Product } from '#test/product'

export interface SqlProduct extends Product {
  /** A statement on `application`, as the local owner or somebody else. */
  execute(sql: string, more?: object, by?: Ask): Promise<Answer>
  /** Asks a database as its superuser. */
  admin<Row extends pg.QueryResultRow>(sql: string, database?: string): Promise<Row[]>
  /** Keeps what a statement locks until `release` is called. */
  hold(sql: string, database?: string): Promise<{ release(): Promise<void> }>
}

/** The whole product, with the databases of its proxy. */
export async function startSql(environment: Record<string, string> = {}): Promise<SqlProduct> {
  let platform = ''
  const product = await startProduct(environment)
  platform = (product.target as { database: string }).database
  after(async () => {
    await product.stop()
    for (const name of ['calendar', 'application'])
      await administer(`drop database if exists "${platform}_${name}" with (force)`)
  })
  async function connect(name: string): Promise<pg.Client> {
    if (product.target.kind !== 'embedded') throw new Error('Tests run on the embedded server')
    const database = name === 'status' ? platform : `${platform}_${name}`
    const client = new pg.Client({ ...product.target.address, database })
    await client.connect()
    return client
  }
  return {
    ...product,
    execute: (sql, more = {}, by = product.call) =>
      by('/api/v1/sql/execute', { json: { database: 'application', sql, reason: 'a test', ...more } }),
    async admin(sql, name = 'application') {
      const client = await connect(name)
      try {
        return (await client.query(sql)).rows
      } finally {
        await client.end()
      }
    },
    async hold(sql, name = 'application') {
      const client = await connect(name)
      await client.query('begin')
      await client.query(sql)
      return {
        async release() {
          await client.query('commit')
          await client.end()
        },
      }
    },
  }
}
