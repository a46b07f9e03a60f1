import type { AccessForLimits } from './deps.ts'
import { serialized } from '#kernel/db'
import { GroupLimits } from './group-limits.ts'
import { defaultTimeZone, toKnown, type KnownLimit } from './limit.ts'
import { allLimits, type Db } from './limit-store.ts'

/** The limits of all groups in memory: whether one concerns a request is known without asking. */
export class KnownLimits {
  readonly groups = new Map<string, GroupLimits>()
  readonly #byId = new Map<string, KnownLimit>()
  readonly #db: Db
  readonly #access: Pick<AccessForLimits, 'timeZones'>

  constructor(db: Db, access: Pick<AccessForLimits, 'timeZones'>) {
    this.#db = db
    this.#access = access
  }

  get(id: string): KnownLimit | undefined {
    return this.#byId.get(id)
  }

  get isEmpty(): boolean {
    return this.#byId.size === 0
  }

  readonly reload = serialized(() => this.#read())

  async #read(): Promise<void> {
    const rows = await allLimits(this.#db)
    const groupIds = [...new Set(rows.map((row) => row.group_id))]
    const zones = groupIds.length > 0 ? await this.#access.timeZones(groupIds) : new Map<string, string>()
    const limits = rows.map((row) => toKnown(row, zones.get(row.group_id) ?? defaultTimeZone))
    this.#byId.clear()
    this.groups.clear()
    for (const limit of limits) this.#byId.set(limit.id, limit)
    for (const [groupId, own] of Map.groupBy(limits, (limit) => limit.groupId))
      this.groups.set(groupId, new GroupLimits(own))
  }
}
