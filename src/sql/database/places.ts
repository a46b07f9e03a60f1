import type { ClientConfig } from 'pg'
import type { Config } from '#kernel/config'
import { clientConfig, databaseNames, sessionTarget, type Target } from '#kernel/db'

/** A database that the proxy offers, and how its administrator reaches it. */
export interface Place {
  name: string
  admin: ClientConfig
  /**
   * platform: our own, of which the agents see the records. workspace: made by us for the agents, who own what they
   * create there. foreign: somebody else's, with the rights that its administrator gave.
   */
  kind: 'platform' | 'workspace' | 'foreign'
  /** We are its superuser, so we make the roles ourselves when they are first needed. */
  isOurs: boolean
}

export function placesOf(config: Config, target: Target): ReadonlyMap<string, Place> {
  const places: Place[] = [
    {
      name: 'status',
      admin: clientConfig(sessionTarget(target)),
      kind: 'platform',
      isOurs: target.kind === 'embedded',
    },
  ]
  if (target.kind === 'embedded')
    for (const name of databaseNames)
      if (name !== 'status') {
        const admin = clientConfig({ ...target, database: neighbour(target.database, name) })
        places.push({ name, admin, kind: 'workspace', isOurs: true })
      }
  for (const [name, url] of Object.entries(config.DATABASES ?? {}))
    places.push({ name, admin: clientConfig({ kind: 'external', url }), kind: 'foreign', isOurs: false })
  // One that the operator names replaces ours of the same name; the platform's own always stays what it is.
  return new Map(
    places
      .filter(({ name, kind }) => name !== 'status' || kind === 'platform')
      .map((place) => [place.name, place]),
  )
}

/** Several installations may share an embedded server, as tests do: each has databases and roles of its own. */
export function neighbour(platform: string, name: string): string {
  return platform === 'status' ? name : `${platform}_${name}`
}
