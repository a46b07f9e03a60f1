import { withAccess } from '#access'
import { UsageError, type CommandArguments } from '#kernel/command'
import { masterKey } from '#kernel/datadir'
import { messageOf } from '#kernel/errors'
import { createVault } from '#vault'
import { readyDeps } from '../run/create-runner.ts'
import { placesOf } from './places.ts'
import { scriptFor, setUp } from './ready.ts'

const noProviders = { list: () => [], resolveId: () => undefined }

/** `signalbox sql setup NAME`: makes the roles of the agents in a database, or prints what would make them. */
export async function setupDatabase({ words, flags, print }: CommandArguments): Promise<number> {
  const name = words[1]
  return withAccess(async ({ access, config, database, events, log }) => {
    const places = placesOf(config, database.target)
    const known = [...places.keys()].join(', ')
    const place = places.get(name ?? '')
    if (!place) throw new UsageError(`Name one of: ${known}. DATABASES adds more.`)
    const vault = createVault({
      config,
      database,
      events,
      log,
      masterKey: masterKey(config),
      providers: noProviders,
    })
    const deps = readyDeps({ config, database, log, secrets: vault.secrets, firstGroup: access.firstGroupId })
    const schemas = schemasOf(flags['schemas'])
    if (flags['print'] === true) {
      const { statements } = await scriptFor(deps, place, schemas)
      print(`${statements.join(';\n')};`, { database: place.name, statements })
      return 0
    }
    try {
      await setUp(deps, place, schemas)
    } catch (error) {
      print(
        `${messageOf(error)}\nThe login of this database may not create roles. Run what signalbox sql setup ${place.name} --print prints as its administrator.`,
        { database: place.name, error: messageOf(error) },
      )
      return 1
    }
    print(`${place.name} is ready: agents reach it as roles that are no superusers.`, {
      database: place.name,
      ready: true,
    })
    return 0
  })
}

function schemasOf(flag: string | boolean | undefined): string[] {
  if (typeof flag !== 'string') return ['public']
  return flag
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}
