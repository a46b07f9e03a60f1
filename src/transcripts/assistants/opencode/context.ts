import type { MessageChange } from '../assistant.ts'
import type { Calls } from '../calls.ts'
import type { JsonObject } from '../json.ts'
import type { Changes } from '../record-reader.ts'

export interface PartContext {
  sessionKey: string
  changes: Changes
  id: string
  part: JsonObject
  message: JsonObject
  isSubagent: boolean
  calls: Calls
  emit(message: Omit<MessageChange, 'order'>): void
}
