import { after } from 'node:test'
import { openDatabase } from '#kernel/db'
import { createLog } from '#kernel/log'
import type { DevlogEntry } from '#records/contract'
import { createWorkflows } from '../../src/agents/workflow/index.ts'
import { listWork } from '../../src/sql/audit/audit-store.ts'
import { toWork } from '../../src/sql/audit/record.ts'
import { startSql, type SqlProduct } from '../../src/sql/testing-sql.ts'
import type { SqlTables } from '../../src/sql/tables.ts'
import type { Answer } from '#test/product'

export interface Script {
  execute(sql: string, more?: object): Promise<Answer>
  migrate(name: string, statements: string[], more?: object): Promise<Answer>
  decide(approvalId: string, decision: 'approve' | 'reject'): Promise<void>
}

/** A product whose audit log is judged as if a key were the key of a run. */
export async function startJudged() {
  const product: SqlProduct = await startSql()
  const log = await createLog({ level: 'silent', form: 'json' })
  const database = openDatabase(product.target, log)
  after(() => database.close())
  const db = database.tables<SqlTables>()
  let number = 0

  async function play(request: string, script: (it: Script) => Promise<void>) {
    const name = `run ${(number += 1)}`
    const { id, key } = (await product.call('/api/v1/keys', { json: { name, scopes: ['sql'] } })).json
    const shared = { database: 'application', reason: 'what the model says: all checks passed' }
    await script({
      execute: (sql, more) => product.call('/api/v1/sql/execute', { key, json: { ...shared, sql, ...more } }),
      migrate: (title, statements, more) =>
        product.call('/api/v1/sql/migrate', { key, json: { ...shared, name: title, statements, ...more } }),
      async decide(approvalId, decision) {
        await product.call(`/api/v1/sql/approvals/${approvalId}/${decision}`, { json: {} })
      },
    })
    const entries = new Map<string, DevlogEntry>()
    const { settle } = createWorkflows({
      workOf: async (groupId, keyIds) => (await listWork(db, groupId, keyIds, 1_000)).map(toWork),
      async addDevlog(_group, entry) {
        const outcome = entries.has(entry.id) ? 'unchanged' : 'created'
        if (outcome === 'created') entries.set(entry.id, entry)
        return { id: entry.id, outcome }
      },
    })
    const run = {
      run_id: `0198c0de-7a3b-7c1d-9e2f-${String(number).padStart(12, '0')}`,
      agent_id: 'data-engineer',
      group_id: product.first.groupId,
      request,
      turn: 1,
      key_ids: [id as string],
    }
    const { workflow, devlogIds } = await settle(run)
    const again = await settle(run)
    return { workflow, devlogIds, again, devlogs: [...entries.values()] }
  }

  return { product, play }
}

/** The steps in words: those that were left out begin with a minus. */
export const stepsOf = (workflow: { steps: { id: string; done: boolean }[] } | null): string =>
  workflow?.steps.map(({ id, done }) => (done ? id : `-${id}`)).join(' ') ?? 'none'
