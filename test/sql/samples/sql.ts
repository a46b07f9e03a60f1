import * as approvals from '../../../src/sql/approvals/approval-store.ts'
import * as audit from '../../../src/sql/audit/audit-store.ts'
import type { AuditEntry } from '../../../src/sql/audit/entry.ts'
import * as databases from '../../../src/sql/database/database-store.ts'
import * as logins from '../../../src/sql/database/login-store.ts'
import * as rules from '../../../src/sql/rules/rule-store.ts'
import type { RuleTables } from '../../../src/sql/rules/tables.ts'
import * as setups from '../../../src/sql/database/setup-store.ts'
import type { DatabaseTables } from '../../../src/sql/database/tables.ts'
import * as migrations from '../../../src/sql/migrate/migration-store.ts'
import type { MigrationTables } from '../../../src/sql/migrate/tables.ts'
import type { SqlTables } from '../../../src/sql/tables.ts'
import type { UndoTables } from '../../../src/sql/undo/tables.ts'
import * as undo from '../../../src/sql/undo/undo-store.ts'
import type { Sample } from '../snapshot.ts'
import { at, hash, id } from './values.ts'

const entry: AuditEntry = {
  group_id: id,
  attempt_id: id,
  phase: 'before',
  kind: 'execute',
  database: 'application',
  sql: 'select 1',
  truncated: false,
  sql_hash: hash,
  executor: 'name',
  user_id: id,
  api_key_id: null,
  agent_id: 'data-engineer',
  policy_version: 1,
  reason: 'reason',
  operations: ['SELECT'],
  status: 'running',
  rule: null,
  error: null,
  rows_affected: null,
  duration_ms: null,
  approval_id: null,
  asked_by: null,
  masked: ['users.email'],
  grant_id: id,
  created_at: at,
}

const approval = {
  id,
  group_id: id,
  kind: 'execute',
  database: 'application',
  sql: 'drop table t',
  is_complete: true,
  request: '{}',
  bound_hash: hash,
  agent_id: 'data-engineer',
  policy_version: 1,
  operations: ['DROP TABLE'],
  rule: 'requires_approval',
  reason: 'reason',
  preview: '{}',
  effect: null,
  requested_by: id,
  requested_key: null,
  requester: 'name',
  asked_by: '{}',
  expires_at: at,
} as const

const database = {
  id,
  group_id: id,
  name: 'shop',
  secret_id: id,
  host: 'db.example.com',
  port: 5432,
  database: 'shop',
  login: 'shop',
  environment: 'dev',
  schemas: ['public'] as string[],
  is_by_local_owner: false,
  created_by: id,
} as const

const migration = {
  id,
  group_id: id,
  database: 'application',
  name: 'notes',
  sha256: 'a',
  state: 'asked',
  is_elsewhere: false,
  statements: ['create table notes (id int)'] as string[],
  is_complete: true,
  checks: [] as string[],
  operations: ['CREATE TABLE'] as string[],
  rollback: null,
  agent_id: 'data-engineer',
  reason: 'reason',
  requester: 'name',
  requested_key: null,
  asked_by: '{}',
  approval_id: id,
  preview: '{}',
  result: null,
  copy: null,
  attempt_id: null,
  audit_id: null,
  error: null,
  duration_ms: null,
  asked_at: at,
  applied_at: null,
  rollback_approval_id: null,
  rolled_back_at: null,
  rolled_back_by: null,
  rollback_audit_id: null,
} as const

export const sql: Sample = async ({ tables, answer }) => {
  const db = tables<SqlTables>()
  // The first entry of a group: there is no head yet.
  answer([], [], [{ seq: '1' }])
  await audit.appendEntry(db, entry, undefined)
  answer([{ seq: '1' }])
  await audit.appendEntry(db, entry, { opens: 'process' })
  answer([{ seq: '1' }])
  await audit.appendEntry(db, { ...entry, phase: 'after' }, { closes: true })
  answer([{ seq: '1' }])
  const facts = { statements: [], result: null, checks: [], effect: null }
  await audit.appendEntry(db, { ...entry, phase: 'after' }, { closes: true, facts })
  await audit.listWork(db, id, [id], 100)
  await audit.entriesAfter(db, id, '0', 1_000)
  await audit.listChains(db)
  await audit.findHead(db, id)
  await audit.openProcesses(db)
  await audit.openEntries(db, 'process')
  await audit.listAttempts(db, { groupId: id, limit: 50 })
  await audit.listAttempts(db, {
    groupId: id,
    keyId: id,
    userId: id,
    withoutKeys: true,
    database: 'application',
    agentId: 'data-engineer',
    status: 'failed',
    search: 'text',
    since: at,
    until: at,
    before: '7',
    limit: 50,
  })

  answer([approval])
  await approvals.insertApproval(db, { ...approval, operations: [...approval.operations] })
  await approvals.findWaiting(db, approval)
  answer([{ count: '1' }])
  await approvals.countWaiting(db, id)
  await approvals.findApproval(db, [id], id)
  await approvals.findApprovals(db, [id])
  await approvals.listApprovals(db, { groupId: id, limit: 50 })
  await approvals.listApprovals(db, { groupId: id, status: 'pending', keyId: id, limit: 50 })
  await approvals.listApprovals(db, { groupId: id, status: 'expired', limit: 50 })
  await approvals.decideApproval(db, id, { status: 'approved', by: id, name: 'name', note: null })
  await approvals.useApproval(db, id, id)
  await approvals.endApprovals(db, { runId: id }, 'reason')
  await approvals.endApprovals(db, { groupId: id, agentId: 'data-engineer' }, 'reason')

  const roles = tables<DatabaseTables>()
  await logins.loginOf(roles, 'signalbox_agent')
  await logins.loginsOf(roles, ['signalbox_agent', 'signalbox_reader'])
  await logins.insertLogin(roles, { role: 'signalbox_agent', group_id: id, secret_id: id })
  await databases.insertDatabase(roles, database)
  await databases.updateDatabase(roles, id, { environment: 'prod' })
  await databases.deleteDatabase(roles, id)
  await databases.findDatabase(roles, id, 'shop')
  await databases.listDatabases(roles, id)
  await databases.groupsWith(roles, 'shop')
  await setups.findSetup(roles, 'signalbox_shop')
  await setups.noteSchemas(roles, 'signalbox_shop', ['public'])
  await setups.noteSetUp(roles, 'signalbox_shop', ['public'])
  await setups.deleteSetup(roles, 'signalbox_shop')

  const history = tables<MigrationTables & SqlTables>()
  const states = { ...migration, statements: [...migration.statements] }
  await migrations.saveMigration(history, states, { state: 'asked', approval_id: id })
  await migrations.saveMigration(history, states, { state: 'running', attempt_id: id }, 'applied')
  await migrations.changeMigration(history, migration, { state: 'applied', applied_at: at })
  await migrations.settleMigration(history, { id, attempt_id: id }, { attempt_id: null })
  await migrations.findMigration(history, [id], id)
  await migrations.knownMigrations(history, id, 'application')
  await migrations.listCut(history, 100)
  await migrations.listMigrations(history, { groupId: id, limit: 50 })
  await migrations.listMigrations(history, {
    groupId: id,
    keyId: id,
    database: 'application',
    agentId: 'data-engineer',
    state: 'waiting',
    search: 'text',
    approvalId: id,
    before: { at, id },
    limit: 50,
  })
  const ruleTables = tables<RuleTables>()
  await rules.listMasks(ruleTables, id)
  await rules.setMasks(ruleTables, id, 'shop', ['users.email'])
  await rules.deleteMasks(ruleTables, id, 'shop')
  await rules.findRules(ruleTables, id, 'shop', 'data-engineer')
  const grant = { id, group_id: id, agent_id: 'data-engineer', database: 'shop', operations: [], tables: [] }
  answer([grant])
  await rules.insertGrant(ruleTables, {
    ...grant,
    unmask: ['users.email'],
    reason: 'reason',
    given_by: id,
    giver: 'name',
    expires_at: at,
  })
  await rules.listGrants(ruleTables, id, 200)
  answer([{ count: '1' }])
  await rules.countGrants(ruleTables, id)
  await rules.findGrant(ruleTables, [id], id)
  await rules.revokeGrant(ruleTables, id, 'name')

  const images = tables<UndoTables>()
  await undo.insertUndo(images, {
    audit_id: id,
    group_id: id,
    database: 'application',
    schema_name: 'public',
    table_name: 't',
    agent_id: 'data-engineer',
    operation: 'UPDATE',
    row_count: 1,
    secret_id: id,
    expires_at: at,
    reason: null,
  })
  await undo.findUndo(images, id, id)
  await undo.markUndone(images, id, id)
  await undo.unmarkUndone(images, id, id)
  await undo.deleteExpiredReasons(images)
  await undo.listExpired(images, 100)
}
