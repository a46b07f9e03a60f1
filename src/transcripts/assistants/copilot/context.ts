import type { MessageChange } from '../assistant.ts'
import type { Calls } from '../calls.ts'
import type { JsonObject } from '../json.ts'
import type { Changes } from '../record-reader.ts'

export interface CopilotState {
  /** The newest message of the session and of each recent subagent. */
  lastOf: Record<string, string>
  /** Calls that a message already reported. */
  reported: Record<string, true>
  calls: Calls
  /** File that a recent edit names, by call. */
  editOf: Record<string, string>
}

export interface EventContext {
  /** Of the subagent, where the event is one's. */
  sessionKey: string
  isSubagent: boolean
  state: CopilotState
  changes: Changes
  id: string
  data: JsonObject
  emit(message: Omit<MessageChange, 'order'>): void
}
