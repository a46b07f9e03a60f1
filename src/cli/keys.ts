import { scopes, type Scope } from '#kernel/auth'
import { UsageError, type Command, type CommandArguments } from './run.ts'
import { withAccess } from './session.ts'
import { table } from './table.ts'

export const command: Command = {
  summary: 'List, create and revoke API keys',
  usage: [
    'list [--group ID] [--json]',
    'create NAME [--group ID] [--scopes gateway,read] [--json]',
    'revoke KEY_ID [--json]',
  ],
  options: { group: { type: 'string' }, scopes: { type: 'string' } },
  async run(given) {
    const [action, word] = given.words
    if (action === 'list') return list(given)
    if (action === 'create' && word) return create(given, word)
    if (action === 'revoke' && word) return revoke(given, word)
    throw new UsageError('Say list, create NAME or revoke KEY_ID.')
  },
}

async function list({ flags, print }: CommandArguments): Promise<number> {
  const keys = await withAccess(async ({ access }) =>
    access.apiKeys.list((await access.groups.forSystem(groupFlag(flags))).id),
  )
  const rows = keys.map((key) => [
    key.id,
    key.name,
    `${key.key_prefix}…${key.key_suffix}`,
    key.scopes.join(','),
    key.revoked_at ? 'revoked' : key.expires_at && key.expires_at < new Date() ? 'expired' : 'active',
    key.last_used_at?.toISOString() ?? null,
  ])
  print(table(['ID', 'NAME', 'KEY', 'SCOPES', 'STATE', 'LAST USED'], rows), keys)
  return 0
}

async function create({ flags, print }: CommandArguments, name: string): Promise<number> {
  const wanted = parseScopes(flags['scopes'])
  const made = await withAccess(async ({ access }) =>
    access.apiKeys.makeForSystem((await access.groups.forSystem(groupFlag(flags))).id, name, wanted),
  )
  print(`API key (shown only now): ${made.value}`, { ...made.row, key: made.value })
  return 0
}

async function revoke({ print }: CommandArguments, id: string): Promise<number> {
  if (!/^[0-9a-f-]{36}$/i.test(id))
    throw new UsageError(`"${id}" is not a key id. signalbox keys list shows the ids.`)
  await withAccess(({ access }) => access.apiKeys.revokeForSystem(id))
  print(`The key ${id} is revoked.`, { id, revoked: true })
  return 0
}

function groupFlag(flags: CommandArguments['flags']): string | undefined {
  return typeof flags['group'] === 'string' ? flags['group'] : undefined
}

function parseScopes(flag: string | boolean | undefined): Scope[] {
  if (typeof flag !== 'string') return scopes.filter((scope) => scope !== 'admin')
  const wanted = flag.split(',').map((word) => word.trim())
  const unknown = wanted.filter((word) => !scopes.includes(word as Scope))
  if (unknown.length > 0)
    throw new UsageError(`Unknown scope ${unknown.join(', ')}. The scopes are ${scopes.join(', ')}.`)
  return wanted as Scope[]
}
