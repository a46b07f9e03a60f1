import type { MessageChange } from '../assistant.ts'
import type { Calls } from '../calls.ts'
import type { JsonObject } from '../json.ts'
import type { Changes } from '../record-reader.ts'

export interface ChatState {
  sessionKey: string | null
  project: string | null
  calls: Calls
}

export interface ChatContext {
  sessionKey: string
  isSubagent: boolean
  state: ChatState
  changes: Changes
  message: JsonObject
  id: string
  emit(message: Omit<MessageChange, 'order'>): void
}
