import type { InitiativesPart } from '#initiatives'
import type { Settling } from '../settling.ts'
import type { Standups } from '../standups.ts'
import type { StandupHub } from '../stream/hub.ts'
import type { Db } from '../tables.ts'
import type { Views } from '../views.ts'

export interface RouteDeps {
  db: Db
  hub: StandupHub
  standups: Standups
  settling: Settling
  views: Views
  initiatives: Pick<InitiativesPart, 'find'>
  model: string
  /** Throws where the group cannot ask the model. */
  checkModel(groupId: string): Promise<void>
}
