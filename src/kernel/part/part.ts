import type { AttentionSource } from '#kernel/attention'
import type { Role } from '#kernel/config'
import type { DatabaseState, Http, Readiness } from '#kernel/http'
import type { Jobs } from '#kernel/jobs'
import type { SearchKind } from '#kernel/search'

/**
 * All that one part of Signalbox adds to the server. `src/main.ts` creates the parts and knows them, beyond what they
 * give each other, only through this.
 */
export interface Part {
  /** For logs. */
  readonly name: string
  /** Only processes whose ROLES include it run the part. Without one every process does. */
  readonly role?: Role
  /** What the search finds of this part. */
  readonly searchKinds?: readonly SearchKind[]
  /** What of this part may need somebody. */
  readonly attention?: readonly AttentionSource[]
  routes?(app: Http): void
  jobs?(jobs: Jobs): void
  /** Runs once per start, in one process, before any process starts its parts. */
  prepare?(): Promise<void>
  /** Runs in every process before it accepts requests, after the parts that come earlier in the list. */
  start?(): Promise<void>
  /** Requests still run at the shutdown limit: the part ends them with an error, before their connections are cut. */
  interrupt?(): void
  /** Runs in reverse order, once requests have ended. Also called after a start that failed half-way. */
  stop?(): Promise<void>
  /** What waits to be worked on, by the name of its queue; for /metrics, which asks at most every few seconds. */
  readonly queues?: Readonly<Record<string, () => number | Promise<number>>>
  /** For /readyz. Without it the part is ready exactly when the database is. */
  health?(database: DatabaseState): Promise<Readiness>
  /** For /readyz, which anyone may read: what is wrong, if it is not the database. */
  problem?(): string | undefined
}

/** The parts that a process with these roles runs, in order. */
export function partsFor(roles: ReadonlySet<Role>, parts: readonly Part[]): Part[] {
  return parts.filter(({ role }) => role === undefined || roles.has(role))
}
