import pg from 'pg'
import { corpusScript } from '#test/sql-corpus'
import { readServerState, sessionStateQuery } from '#test/sql-state'
import { startSql, type SqlProduct } from '../../src/sql/testing-sql.ts'

/** Sends statements to the proxy under a read-only policy, and sees whether anything changed. */
export interface Attack {
  /** Runs statements as a superuser, to build what the others may harm. Returns how many ran. */
  build(statements: string[]): Promise<number>
  /** Remembers how everything is. */
  begin(): Promise<void>
  send(sql: string): Promise<void>
  close(): Promise<void>
  /** Throws, with what changed, if database, server or session are not as they were. */
  check(): Promise<void>
  /** How often each rule decided, and how statements that ran ended. */
  counts: Map<string, number>
  /** Responses that blame the server. */
  failures: string[]
  slowest: { sql: string; ms: number }
}

export async function startAttack(): Promise<Attack> {
  const product = await startSql({ SQL_TIMEOUT_MS: '1500' })
  // The database is made when it is first asked for.
  await product.execute('SELECT 1')
  const administrator = await connect(product)
  await administrator.query(corpusScript({ reader: 'reader', writer: 'writer', owner: 'owner' }))
  // So that statements fail for what they do, and not for want of rights to read.
  await administrator.query('grant select on all tables in schema public to public')
  await makeAgent(product)
  const counts = new Map<string, number>()
  const failures: string[] = []
  const slowest = { sql: '', ms: 0 }
  let untouched: Record<string, unknown> = {}

  async function readState(): Promise<Record<string, unknown>> {
    const session = await product.execute(sessionStateQuery, { agent_id: 'regress' })
    if (session.status !== 200) throw new Error(session.text)
    return { ...(await readServerState(administrator)), session: session.json.rows[0].state }
  }

  return {
    counts,
    failures,
    slowest,
    close: () => administrator.end(),
    build: (statements) => build(administrator, statements),
    async begin() {
      untouched = await readState()
    },
    async send(sql) {
      const start = performance.now()
      const { status, json } = await product.execute(sql, { agent_id: 'regress', max_rows: 100 })
      const ms = performance.now() - start
      if (ms > slowest.ms) Object.assign(slowest, { sql, ms })
      if (status >= 500) failures.push(`${status} for ${sql}: ${JSON.stringify(json)}`)
      const outcome = status === 200 ? 'ran' : status === 202 ? 'waits for approval' : outcomeOf(json.error)
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
    },
    async check() {
      const now = await readState()
      const changed = Object.keys({ ...untouched, ...now }).filter((name) => now[name] !== untouched[name])
      const what = changed.map((name) => `${name}: ${String(untouched[name])} → ${String(now[name])}`)
      if (changed.length > 0) throw new Error(`Changed:\n${what.join('\n')}`)
    },
  }
}

async function connect({ target }: SqlProduct): Promise<pg.Client> {
  if (target.kind !== 'embedded') throw new Error('It runs on the embedded server')
  const client = new pg.Client({ ...target.address, database: `${target.database}_application` })
  await client.connect()
  return client
}

async function makeAgent(product: SqlProduct): Promise<void> {
  const policy = {
    allowed_databases: ['application'],
    allowed_operations: ['SELECT', 'EXPLAIN', 'SHOW'],
    requires_approval: [],
    environment: 'dev',
  }
  const agent = { id: 'regress', name: 'Regression suite', model: 'none', config: { policy } }
  const { status, text } = await product.call('/api/agents', { json: agent })
  if (status !== 201) throw new Error(text)
}

async function build(administrator: pg.Client, statements: string[]): Promise<number> {
  await administrator.query(`set statement_timeout = '1s'; set client_min_messages = 'error'`)
  let count = 0
  for (const sql of statements)
    count += await administrator.query(sql).then(
      () => 1,
      () => 0,
    )
  await administrator.query(`reset all; grant select on all tables in schema public to public`)
  return count
}

interface ResponseError {
  code: string
  message: string
  sqlstate?: string
}

function outcomeOf({ code, message, sqlstate }: ResponseError): string {
  if (code === 'policy_violation') return /\(rule (\w+)/.exec(message)?.[1] ?? 'refused'
  if (sqlstate === '42601') return 'syntax error'
  if (sqlstate === '57014') return 'ran until the time limit'
  return sqlstate === undefined ? code : 'refused by the database'
}
