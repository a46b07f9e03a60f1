import type { MessageChange } from '../assistant.ts'
import type { Calls } from '../calls.ts'
import type { JsonObject } from '../json.ts'
import type { Changes } from '../record-reader.ts'

export interface ChatState {
  reported: JsonObject
  keyOf: Record<string, string>
  /** File that a recent edit names, by call. */
  editOf: Record<string, string>
  calls: Calls
}

export interface ChatContext {
  sessionKey: string
  isSubagent: boolean
  state: ChatState
  changes: Changes
  record: JsonObject
  id: string
  emit(message: Omit<MessageChange, 'order'>): void
}
