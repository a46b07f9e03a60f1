import type { MessageChange } from '../assistant.ts'
import type { Calls } from '../calls.ts'
import type { JsonObject } from '../json.ts'
import type { Changes } from '../record-reader.ts'

/** What a reader carries from line to line. */
export interface TranscriptState {
  /** Session fields already reported, so that a patch is sent only when one changes. */
  reported: JsonObject
  /** Key of the nearest message of each recent record: many records between two messages have none. */
  keyOf: Record<string, string>
  /** The newest message. */
  lastKey: string | null
  /** Blocks of recent API messages whose lines have no block index: key, length and hash of each text. */
  blocksOf: Record<string, { key: string; kind: string; length: number; hash: string }[]>
  calls: Calls
}

/** Context of one record for the readers of its parts. */
export interface RecordContext {
  sessionKey: string
  isSubagent: boolean
  state: TranscriptState
  changes: Changes
  record: JsonObject
  emit(message: Omit<MessageChange, 'order'>): void
}
