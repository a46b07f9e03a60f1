import type { Initiative } from '#initiatives/contract'
import type { Standup } from '#standups/contract'
import type { CurrentGroup } from '../../api/session.ts'
import type { StandupState } from './standup-state.ts'
import type { Connection } from './use-standup.ts'

/** What the screens of a stand-up show. */
export interface ScreenProps {
  group: CurrentGroup
  initiative: Initiative
  /** As it was when the page was opened; `state` has what is new. */
  session: Standup
  state: StandupState
  connection: Connection
  /** Viewers only read; while it is open, so does everyone but its speakers. */
  mayTalk: boolean
  /** Admins may end what somebody left open. */
  mayEnd: boolean
}
