import type { AssistantId } from '../assistants/index.ts'
import type { MergedPart, StoredPart } from '../search/merge.ts'
import type { IndexedMessage, IndexPart } from '../search/part.ts'
import type { Blob } from '../segment.ts'
import type { Derived, DeriveInput } from './derive.ts'
import type { PackedLines } from './pack.ts'

/** What the thread is asked to do. */
export type ThreadCall =
  | {
      kind: 'take'
      input: DeriveInput
      redact: boolean
      /** Whether the lines are only stored, because those before them are not derived yet. */
      isLate: boolean
      /** The run of lines that these may be packed with. */
      previous: Uint8Array | null
    }
  /** Lines that are stored, without the first ones. */
  | { kind: 'again'; input: Omit<DeriveInput, 'lines'>; data: Uint8Array; skip: number }
  /** Parts of the index for messages of one session. */
  | { kind: 'index'; messages: IndexedMessage[] }
  /** Parts of the index, as one part without some sessions. */
  | { kind: 'merge'; parts: StoredPart[]; dropped: string[] }
  /** Lines of some sessions, blanked in a run of lines that other sessions share. */
  | { kind: 'blank'; assistant: AssistantId; path: string; data: Uint8Array; sessionKeys: string[] }

export interface Taken {
  derived: Derived | null
  packed: PackedLines
  blobs: Blob[]
}

export interface BlankedLines extends PackedLines {
  /** Hashes of what was cut out of the lines that are left. */
  blobs: string[]
}

export interface ThreadResults {
  take: Taken
  again: Derived
  blank: BlankedLines
  merge: MergedPart | null
  index: IndexPart[]
}
