import { withAccess, type AccessSession } from '#access'
import { openRegistry } from '#agents'
import type { Membership, Principal } from '#kernel/auth'
import { table, UsageError, type Command, type CommandArguments } from '#kernel/command'
import { executorOf, openApprovals, reasonOf, setupDatabase, type ApprovalRow } from '#sql'
import { askedOf } from '#sql/contract'

/** Here and not in the part: who decides is asked of the part of people, what they decide about of that of agents. */
export const command: Command = {
  summary: 'Prepare databases for the SQL proxy; approve what waits',
  usage: [
    'setup NAME [--print] [--admin-url URL] [--schemas public,sales] [--group ID] [--json]',
    'pending [--json]',
    'show ID [--json]',
    'approve ID [--note TEXT] [--as EMAIL] [--json]',
    'reject ID [--note TEXT] [--as EMAIL] [--json]',
    '(setup creates the roles of agents in the database and lets them change the structure of the schemas; --print shows the statements instead; --admin-url is the address of an administrator, used once)',
  ],
  options: {
    schemas: { type: 'string' },
    print: { type: 'boolean' },
    'admin-url': { type: 'string' },
    group: { type: 'string' },
    note: { type: 'string' },
    as: { type: 'string' },
  },
  async run(given) {
    const [action] = given.words
    if (action === 'setup') return setupDatabase(given)
    if (action === 'pending') return listPending(given)
    if (action === 'show') return showPending(given)
    if (action === 'approve') return decideByCommand(given, 'approved')
    if (action === 'reject') return decideByCommand(given, 'rejected')
    throw new UsageError('Use setup NAME, pending, show ID, approve ID or reject ID.')
  },
}

const maxListed = 200

/** `signalbox sql pending`: what waits, in all groups. */
async function listPending({ print }: CommandArguments): Promise<number> {
  const rows = await withAccess(async (session) => {
    const found: ApprovalRow[] = []
    for (const groupId of await allGroups(session))
      found.push(...(await approvalsOf(session).list({ groupId, status: 'pending', limit: maxListed })))
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
async function showPending({ words, print }: CommandArguments): Promise<number> {
  const row = await withAccess((session) => find(session, words[1]))
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
async function decideByCommand(
  { words, flags, print }: CommandArguments,
  status: 'approved' | 'rejected',
): Promise<number> {
  const note = typeof flags['note'] === 'string' ? flags['note'].slice(0, 1_000) : null
  const after = await withAccess(async (session) => {
    const row = await find(session, words[1])
    const { principal, group } = await personFor(session, row.group_id, flags['as'])
    const by = executorOf(principal)
    return approvalsOf(session).decide(
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

const approvalsOf = (session: AccessSession) =>
  openApprovals({ ...session, agents: openRegistry(session), countAdmins: session.access.countAdmins })

async function allGroups({ access }: AccessSession): Promise<string[]> {
  const users = await access.listUsers()
  return [...new Set(users.flatMap(({ groups }) => groups.map(({ id }) => id)))]
}

async function find(session: AccessSession, id: string | undefined): Promise<ApprovalRow> {
  if (id === undefined || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id))
    throw new UsageError('Name the ID of an approval; signalbox sql pending lists them.')
  return approvalsOf(session).find(await allGroups(session), id)
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
