import type { Place } from './places.ts'
import type { AgentRoles } from './roles.ts'

/** What a script is made from. */
export interface SetupFacts {
  place: Place
  /** The real name of the database, which may differ from the one that the proxy offers. */
  database: string
  roles: AgentRoles
  passwords: { reader: string; agent: string }
  /** Of the platform's database: whose rows the agents see. */
  groupId: string
  /** Connections that a role may hold: the pool and those that cancel. */
  connections: number
  /** Schemas of a foreign database whose structure the agents may change. */
  schemas: readonly string[]
}
