import pg from 'pg'
import { after } from 'node:test'
import { startProduct, type Product } from '#test/product'
import { createRecord } from '#test/records'

/** A product with records of known times. All lie in 2024, so that a period never ends in the future. */
export interface AnalyticsProduct extends Product {
  groupId: string
  /** A report, or what it is refused with. */
  // oxlint-disable-next-line typescript/no-explicit-any
  get(path: string): Promise<any>
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  deploy(fields: DeploymentFields): Promise<string>
  service(name: string): Promise<string>
}

export interface DeploymentFields {
  service: string
  status?: 'started' | 'succeeded' | 'failed' | 'rolled_back'
  started_at: string
  finished_at?: string
  committed_at?: string
  environment?: string
  is_rework?: boolean
}

export async function startAnalytics(): Promise<AnalyticsProduct> {
  const product = await startProduct()
  const { address, database } = product.target as { address: pg.ClientConfig; database: string }
  const pool = new pg.Pool({ ...address, database, max: 1 })
  // The database is dropped when the tests are over, and the connection with it.
  pool.on('error', () => undefined)
  after(() => pool.end())
  const create = (path: string, json: object): Promise<string> => createRecord(product, path, json)
  const { json } = await product.call('/api/v1/me')
  return {
    ...product,
    groupId: (json as { group_id: string }).group_id,
    async get(path) {
      const answer = await product.call(`/api/analytics/${path}`)
      return answer.status === 200 ? answer.json : { status: answer.status, param: answer.json.error.param }
    },
    query: async (text, values) => (await pool.query(text, values)).rows,
    deploy: ({ status = 'succeeded', ...fields }) => create('/api/deployments', { status, ...fields }),
    service: (name) => create('/api/services', { name }),
  }
}
