import type { MessageChange } from '../assistant.ts'
import type { Calls } from '../calls.ts'
import type { JsonObject } from '../json.ts'
import type { Changes } from '../record-reader.ts'

export interface PiState {
  model: string | null
  /** Key of the nearest message of each recent entry. */
  keyOf: Record<string, string>
  /** File that a recent edit or write names, by call. */
  editOf: Record<string, string>
  calls: Calls
}

export interface EntryContext {
  sessionKey: string
  state: PiState
  changes: Changes
  entry: JsonObject
  id: string
  emit(message: Omit<MessageChange, 'order'>): void
}
