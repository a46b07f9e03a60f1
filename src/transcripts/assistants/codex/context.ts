import type { MessageChange } from '../assistant.ts'
import type { Calls } from '../calls.ts'
import type { Changes } from '../record-reader.ts'

/** What a reader carries from line to line. */
export interface RolloutState {
  /** The first session_meta names the file; a legacy fork repeats its parent's behind it. */
  hasMeta: boolean
  model: string | null
  turn: string | null
  /** Turns without ids: how many began after the first, and whether the newest one has come to more than its prompt. */
  turns: number
  isTurnUnderWay: boolean
  /** Of such turns: in which one a recent text came first. */
  firstTurnOf: Record<string, number>
  /** Responses report their usage themselves, so that the repeated token_count events are not needed. */
  hasUsageRecords: boolean
  /** Recent calls of the model. */
  calls: Calls
}

export interface RolloutContext {
  sessionKey: string
  state: RolloutState
  changes: Changes
  at: Date | undefined
  emit(message: Omit<MessageChange, 'order'>): void
}
