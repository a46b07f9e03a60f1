import type { MessageChange } from '../assistant.ts'
import type { Calls } from '../calls.ts'
import type { JsonObject } from '../json.ts'
import type { Changes } from '../record-reader.ts'

export interface MessageContext {
  sessionKey: string
  isSubagent: boolean
  changes: Changes
  message: JsonObject
  id: string
  /** Files that the calls of this document name, by call: the document is always read whole. */
  edits: Map<string, string[]>
  calls: Calls
  emit(message: Omit<MessageChange, 'order'>): void
}
