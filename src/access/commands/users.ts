import { roles, type Role } from '#kernel/auth'
import { table, UsageError, type Command, type CommandArguments } from '#kernel/command'
import { serverUrl } from '#kernel/datadir'
import { withAccess } from '../index.ts'

export const command: Command = {
  summary: 'List and invite people, reset a password, remove someone',
  usage: [
    'list [--json]',
    'invite [EMAIL] [--role owner|admin|member|viewer] [--group ID] [--json]',
    'reset-password EMAIL [--json]',
    'remove EMAIL [--json]',
  ],
  options: { role: { type: 'string' }, group: { type: 'string' } },
  async run(given) {
    const [action, email] = given.words
    if (action === 'list') return list(given)
    if (action === 'invite') return invite(given, email)
    if (action === 'reset-password' && email) return resetPassword(given, email)
    if (action === 'remove' && email) return remove(given, email)
    throw new UsageError('Use list, invite, reset-password EMAIL or remove EMAIL.')
  },
}

async function list({ print }: CommandArguments): Promise<number> {
  const users = await withAccess(({ access }) => access.listUsers())
  const rows = users.map((user) => [
    user.email,
    user.name,
    user.groups.map((group) => `${group.name} (${group.role})`).join(', '),
    user.id,
  ])
  print(table(['EMAIL', 'NAME', 'GROUPS', 'ID'], rows), users)
  return 0
}

async function invite({ flags, print }: CommandArguments, email: string | undefined): Promise<number> {
  const role = flags['role'] ?? 'member'
  if (!roles.includes(role as Role))
    throw new UsageError(`Unknown role "${String(role)}". The roles are ${roles.join(', ')}.`)
  const groupId = typeof flags['group'] === 'string' ? flags['group'] : undefined
  const link = await withAccess(async ({ access, config }) => {
    const base = config.PUBLIC_URL ?? serverUrl(config)
    const group = await access.groups.forSystem(groupId)
    const { token } = await access.invitations.inviteForSystem(
      group.id,
      role as Role,
      email?.toLowerCase() ?? null,
      null,
    )
    return `${base}/join?token=${token}`
  })
  print(`One-time link, valid for 7 days: ${link}`, { url: link, role, email: email ?? null })
  return 0
}

async function resetPassword({ print }: CommandArguments, email: string): Promise<number> {
  const password = await withAccess(({ access }) => access.people.setPassword(email.toLowerCase()))
  print(`New password (shown only now): ${password}`, { email, password })
  return 0
}

async function remove({ print }: CommandArguments, email: string): Promise<number> {
  await withAccess(({ access }) => access.removeUser(email.toLowerCase()))
  print(`${email} is removed; their API keys are revoked.`, { email, removed: true })
  return 0
}
