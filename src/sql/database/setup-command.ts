import { withAccess } from '#access'
import { UsageError, type CommandArguments } from '#kernel/command'
import { masterKey } from '#kernel/datadir'
import { clientConfig } from '#kernel/db'
import { messageOf } from '#kernel/errors'
import { Secret } from '#kernel/log'
import { createVault } from '#vault'
import { createAudit } from '../audit/audit.ts'
import { groupsWith } from './database-store.ts'
import { offerDatabases } from './offer.ts'
import type { Place, Places } from './places.ts'
import type { ReadyDeps } from './ready.ts'
import { recordChange } from './record-change.ts'
import { printSetUp, setUp } from './set-up.ts'

/** The administrator of the machine; nobody is signed in. */
const commandLine = {
  name: 'command line',
  userId: null,
  keyId: null,
  asked: { user: null, agent_version: null, run_id: null, request: null },
}

const noProviders = { list: () => [], resolveId: () => undefined }

/** `signalbox sql setup NAME`: makes the roles of the agents in a database, or prints what would make them. */
export async function setupDatabase({ words, flags, print }: CommandArguments): Promise<number> {
  const name = words[1] ?? ''
  const admin = adminOf(flags['admin-url'])
  return withAccess(async ({ access, config, database, events, log }) => {
    const { secrets } = createVault({
      config,
      database,
      events,
      log,
      masterKey: masterKey(config),
      providers: noProviders,
    })
    const { places, ready } = offerDatabases({ config, database, secrets, firstGroup: access.firstGroupId })
    const place = await findPlace({ places, ready, firstGroup: access.firstGroupId }, name, flags['group'])
    const schemas = schemasOf(flags['schemas']) ?? place.schemas
    if (flags['print'] === true) {
      const script = await printSetUp(ready, place, schemas)
      print(script.trimEnd(), { database: place.name, script })
      return 0
    }
    const audit = createAudit({ db: database.tables(), sessions: database.sessions, events, log })
    const record = (what: string): Promise<void> =>
      recordChange({ audit, events }, { groupId: place.groupId, by: commandLine, database: place.name, what })
    try {
      await setUp(ready, place, { schemas, ...(admin && { admin }) })
    } catch (error) {
      await record('not set up')
      print(messageOf(error), { database: place.name, error: messageOf(error) })
      return 1
    }
    await record('set up')
    print(
      `${place.name} is set up: agents may read and write in ${schemas.join(', ')} and change its structure, as far as their policy allows.`,
      { database: place.name, ready: true, schemas },
    )
    return 0
  })
}

interface Known {
  places: Places
  ready: ReadyDeps
  firstGroup(): Promise<string>
}

/** A name that several groups have needs the group too. */
async function findPlace(
  { places, ready, firstGroup }: Known,
  name: string,
  group: string | boolean | undefined,
): Promise<Place> {
  const first = await firstGroup()
  const groups =
    typeof group === 'string' ? [group] : [...new Set([first, ...(await groupsWith(ready.db, name))])]
  const found: Place[] = []
  for (const groupId of groups) {
    const place = await places.find(groupId, name)
    if (place) found.push(place)
  }
  const [place, ...others] = found
  if (place && others.length === 0) return place
  if (place)
    throw new UsageError(
      `Several groups have a database ${name}. Add --group with one of: ${found.map(({ groupId }) => groupId).join(', ')}`,
    )
  const names = (await places.list(typeof group === 'string' ? group : first)).map((each) => each.name)
  throw new UsageError(`Name one of: ${names.join(', ')}. DATABASES and POST /api/v1/sql/databases add more.`)
}

function adminOf(flag: string | boolean | undefined) {
  if (typeof flag !== 'string') return undefined
  if (!/^postgres(ql)?:\/\//.test(flag) || !URL.canParse(flag))
    throw new UsageError('--admin-url must look like postgresql://USER:PASSWORD@HOST:5432/DATABASE')
  return clientConfig({ kind: 'external', url: new Secret(flag) })
}

function schemasOf(flag: string | boolean | undefined): string[] | undefined {
  if (typeof flag !== 'string') return undefined
  const names = flag
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
  if (names.length === 0) throw new UsageError('--schemas names at least one schema, such as public,sales')
  return names
}
