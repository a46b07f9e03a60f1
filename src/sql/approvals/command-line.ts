import type { Kysely } from 'kysely'
import { withAccess, type AccessSession } from '#access'
import { openRegistry } from '#agents'
import type { Membership, Principal } from '#kernel/auth'
import { table, UsageError, type CommandArguments } from '#kernel/command'
import { notFound } from '#kernel/errors'
import { createAudit, executorOf } from '../audit/audit.ts'
import { askedOf } from '../contract.ts'
import type { SqlTables } from '../tables.ts'
import { countWaiting, findApproval, listApprovals, type ApprovalRow } from './approval-store.ts'
import { createApprovals, reasonOf } from './approvals.ts'

const maxListed = 200

/** `signalbox sql pending`: what waits, in all groups. */
export async function listPending({ print }: CommandArguments): Promise<number> {
  const rows = await withAccess(async ({ access, database }) => {
    const db: Kysely<SqlTables> = database.tables()
    const found: ApprovalRow[] = []
    for (const groupId of groupsOf(await access.listUsers()))
      if ((await countWaiting(db, groupId)) > 0)
        found.push(...(await listApprovals(db, { groupId, status: 'pending', limit: maxListed })))
    return found
  })
  const shown = rows.map((row) => [
    row.id,
    row.database,
    row.operations.join(', '),
    effectOf(row),
    row.requester,
    row.reason,
  ])
  const text =
    rows.length === 0
      ? 'Nothing waits for approval.'
      : table(['ID', 'DATABASE', 'OPERATIONS', 'ROWS', 'ASKED BY', 'REASON'], shown)
  print(text, rows.map(toFacts))
  return 0
}

/** `signalbox sql show ID`: the exact text and what it would do. */
export async function showPending({ words, print }: CommandArguments): Promise<number> {
  const row = await withAccess(({ access, database }) => find(access, database.tables(), words[1]))
  const { preview } = row
  const lines = [
    `${row.operations.join(', ')} in ${row.database}, asked by ${row.requester}: ${row.reason}`,
    '',
    row.sql,
    '',
    `Rows: ${effectOf(row)}`,
    `Locks: ${preview.locks.map(({ relation, mode }) => `${relation} ${mode}`).join(', ') || 'none'}`,
    ...(preview.skipped === null ? [] : [`Not tried: ${preview.skipped}`]),
    ...preview.warnings.map(({ rule, message }) => `Warning ${rule}: ${message}`),
  ]
  print(lines.join('\n'), toFacts(row))
  return 0
}

/** `signalbox sql approve ID`: in the name of a person, by the administrator of this machine. */
export async function decideByCommand(
  { words, flags, print }: CommandArguments,
  status: 'approved' | 'rejected',
): Promise<number> {
  const note = typeof flags['note'] === 'string' ? flags['note'].slice(0, 1_000) : null
  const after = await withAccess(async (session) => {
    const { access, config, database, events, log } = session
    const db: Kysely<SqlTables> = database.tables()
    const row = await find(access, db, words[1])
    const { principal, group } = await personFor(session, row.group_id, flags['as'])
    const audit = createAudit({ db, sessions: database.sessions, events, log })
    const agents = openRegistry({ config, database, events })
    const approvals = createApprovals({ db, events, audit, agents, countAdmins: access.countAdmins })
    const by = executorOf(principal)
    return approvals.decide(
      principal,
      group,
      row,
      { status, note },
      { ...by, name: `${by.name}, command line` },
    )
  })
  print(`${after.operations.join(', ')} in ${after.database} is ${after.status}.`, toFacts(after))
  return 0
}

type Users = Awaited<ReturnType<AccessSession['access']['listUsers']>>

const groupsOf = (users: Users): string[] => [
  ...new Set(users.flatMap(({ groups }) => groups.map(({ id }) => id))),
]

async function find(
  access: AccessSession['access'],
  db: Kysely<SqlTables>,
  id: string | undefined,
): Promise<ApprovalRow> {
  if (id === undefined || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id))
    throw new UsageError('Name the ID of an approval; signalbox sql pending lists them.')
  const row = await findApproval(db, groupsOf(await access.listUsers()), id)
  if (!row) throw notFound('The approval')
  return row
}

/** The local owner, or the person who is named: the audit log and four eyes need one. */
async function personFor(
  { access, config }: AccessSession,
  groupId: string,
  named: string | boolean | undefined,
): Promise<{ principal: Principal; group: Membership }> {
  if (typeof named !== 'string' && !config.localOwner)
    throw new UsageError('Say who you are: --as EMAIL of an admin or owner of the group.')
  const email = typeof named === 'string' ? named.toLowerCase() : 'owner@localhost'
  const user = (await access.listUsers()).find((each) => each.email === email)
  const group = user?.groups.find(({ id }) => id === groupId)
  if (!user || !group) throw new UsageError(`${email} is not a member of the group of this approval.`)
  const { id, name } = user
  return { principal: { via: 'local', user: { id, name, email }, groups: [group] }, group }
}

function effectOf({ preview: { effect } }: ApprovalRow): string {
  if (effect === null) return 'unknown'
  const rows = effect.tables.map(
    ({ name, inserted, updated, deleted }) => `${name} +${inserted} ~${updated} -${deleted}`,
  )
  return [...rows, ...effect.dropped.map((name) => `drops ${name}`)].join(', ') || 'none'
}

const toFacts = (row: ApprovalRow) => ({
  id: row.id,
  status: row.status,
  database: row.database,
  sql: row.sql,
  operations: row.operations,
  reason: reasonOf(row),
  asked_by: askedOf(row.asked_by, row.agent_id),
  requested_by: row.requester,
  decided_by: row.decider,
  preview: row.preview,
  expires_at: row.expires_at.toISOString(),
})
