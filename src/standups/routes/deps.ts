import type { InitiativesPart } from '#initiatives'
import type { Principal } from '#kernel/auth'
import type { LogStreams } from '#kernel/event-log'
import type { Member } from '../participants.ts'
import type { Settling } from '../settling.ts'
import type { Standups } from '../standups.ts'
import type { Db } from '../tables.ts'
import type { Views } from '../views.ts'

export interface RouteDeps {
  db: Db
  streams: LogStreams
  standups: Standups
  settling: Settling
  views: Views
  initiatives: Pick<InitiativesPart, 'find'>
  model(groupId: string): Promise<string>
  /** The people of a group, as the caller may see them. */
  members(principal: Principal, groupId: string): Promise<readonly Member[]>
  /** Throws where the group cannot ask the model. */
  checkModel(groupId: string): Promise<void>
}
