import { withAccess } from '#access'
import { scopes, type Scope } from '#kernel/auth'
import { table, UsageError, withDatabase, type Command, type CommandArguments } from '#kernel/command'
import { masterKey } from '#kernel/datadir'
import { countStored, createVault, dropSealed, nextMasterKey } from '#vault'

export const command: Command = {
  summary: 'List, create and revoke API keys; change the master key of the key store',
  usage: [
    'list [--group ID] [--json]',
    'create NAME [--group ID] [--scopes gateway,read] [--json]',
    'revoke KEY_ID [--json]',
    'rotate-master [--json]',
    'drop-sealed [--yes] [--json]',
    '(rotate-master encrypts every stored provider key with a new master key, while Signalbox runs or not)',
    '(drop-sealed is the way out when the master key is lost: it deletes every stored provider key and secret)',
  ],
  options: { group: { type: 'string' }, scopes: { type: 'string' }, yes: { type: 'boolean' } },
  async run(given) {
    const [action, word] = given.words
    if (action === 'list') return list(given)
    if (action === 'create' && word) return create(given, word)
    if (action === 'revoke' && word) return revoke(given, word)
    if (action === 'rotate-master') return rotateMaster(given)
    if (action === 'drop-sealed') return forgetSealed(given)
    throw new UsageError('Use list, create NAME, revoke KEY_ID, rotate-master or drop-sealed.')
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

/** Rotation needs no providers: every key is encrypted again, whatever it is for. */
const noProviders = { list: () => [], resolveId: () => undefined }

async function rotateMaster({ print }: CommandArguments): Promise<number> {
  const done = await withAccess(async ({ config, database, events, log }) => {
    const vault = createVault({
      database,
      config,
      events,
      log,
      masterKey: masterKey(config),
      providers: noProviders,
    })
    return { ...(await vault.rotateMaster(nextMasterKey(config))), isGiven: config.MASTER_KEY !== undefined }
  })
  const advice = done.isGiven
    ? 'PREVIOUS_MASTER_KEY can be unset at the next restart; keep it in a safe place for older backups.'
    : 'DATA_DIR/master.key holds it. The previous key is beside it as master.key.retired-…: older backups need it; delete it when none is left.'
  print(`${done.rewrapped} provider keys are encrypted with the new master key. ${advice}`, {
    rewrapped: done.rewrapped,
  })
  return 0
}

async function forgetSealed({ flags, print }: CommandArguments): Promise<number> {
  if (flags['yes'] !== true) {
    const sealed = await withDatabase(({ database }) => countStored(database))
    print(
      `This deletes ${sealed} stored provider keys and secrets, and the webhooks and database logins that use them. They cannot be brought back. To do it: npx signalbox keys drop-sealed --yes`,
      { dropped: false, sealed },
    )
    return 1
  }
  const done = await withDatabase(({ database }) => dropSealed(database))
  print(
    `${done.providerKeys} provider keys and ${done.secrets} secrets are deleted. Start Signalbox and add the provider keys again.`,
    { dropped: true, provider_keys: done.providerKeys, secrets: done.secrets },
  )
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
