import type pg from 'pg'
import type { CorpusDatabase } from '#test/sql-corpus'
import { readServerState, readSessionState } from '#test/sql-state'
import { ClassificationFault, type Classifier } from '../../src/sql/classify/classification.ts'
import { decide } from '../../src/sql/policy/decide.ts'
import { readFacts } from '../../src/sql/policy/facts.ts'
import type { Policy } from '../../src/sql/policy/policy.ts'

/** Sends statements through classification, policy and the weak role, and sees whether anything changed. */
export interface Attack {
  send(sql: string): Promise<void>
  /** Throws, with what changed, if server or session are not as they were. */
  check(): Promise<void>
  /** How often each rule decided; statements that ran by how they ended. */
  counts: Map<string, number>
  slowest: { sql: string; ms: number }
}

export async function startAttack(database: CorpusDatabase, classifier: Classifier): Promise<Attack> {
  const { administrator, agent } = database
  await agent.query(sessionSettings)
  const untouched = { ...(await readServerState(administrator)), session: await readSessionState(agent) }
  const counts = new Map<string, number>()
  const slowest = { sql: '', ms: 0 }
  const policy: Policy = {
    allowed_databases: [database.name],
    allowed_operations: ['SELECT', 'EXPLAIN', 'SHOW'],
    requires_approval: [],
    environment: 'dev',
  }

  async function outcomeOf(sql: string): Promise<string> {
    const statements = await classifier.classify(sql, 'execute').catch((error: unknown) => {
      if (error instanceof ClassificationFault) return error.reason
      throw error
    })
    if (typeof statements === 'string') return statements
    const query = async (text: string, given: unknown[]): Promise<Record<string, unknown>[]> =>
      (await agent.query<Record<string, unknown>>(text, given)).rows
    const facts = await readFacts(query, statements)
    const decision = decide({ database: database.name, statements, policy, kind: 'execute', ...facts })
    if (decision.decision !== 'execute') return decision.rule
    const isQuery = statements[0]?.operations.every(({ name }) => name === 'SELECT') === true
    return run(agent, isQuery ? `declare result no scroll cursor for ${sql}` : sql, isQuery)
  }

  return {
    counts,
    slowest,
    async send(sql) {
      const start = performance.now()
      const outcome = await outcomeOf(sql)
      const ms = performance.now() - start
      if (ms > slowest.ms) Object.assign(slowest, { sql, ms })
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
    },
    async check() {
      const now = { ...(await readServerState(administrator)), session: await readSessionState(agent) }
      const names = Object.keys({ ...untouched, ...now }) as (keyof typeof now)[]
      const changed = names.filter((name) => now[name] !== untouched[name])
      if (changed.length > 0)
        throw new Error(
          `Changed: ${changed.map((name) => `${name}: ${untouched[name]} → ${now[name]}`).join('\n')}`,
        )
    },
  }
}

const sessionSettings = `set statement_timeout = '2s'; set lock_timeout = '1s'; set work_mem = '16MB'; set temp_buffers = '1MB'`

/** As the proxy does: one statement by the extended protocol in a read-only transaction. */
async function run(agent: pg.Client, sql: string, isCursor: boolean): Promise<string> {
  await agent.query('begin read only')
  let outcome = 'ran'
  try {
    await agent.query({ text: sql, queryMode: 'extended' } as pg.QueryConfig)
    if (isCursor) await agent.query('fetch 1000 from result')
  } catch (error) {
    outcome =
      (error as { code?: string }).code === '57014' ? 'ran until the timeout' : 'refused by the database'
  }
  await agent.query(outcome === 'ran' ? 'commit' : 'rollback')
  return outcome
}
