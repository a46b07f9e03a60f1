/** What a part hands to the search: its documents, as they change. */

export interface SearchDocument {
  /** Null: every group may find it. */
  groupId: string | null
  /** Unique within the kind. */
  id: string
  title: string
  text: string
  /** Page of the dashboard that shows it. */
  url: string
  at: Date
}

export interface SearchChanges {
  documents: SearchDocument[]
  /** Where the next call continues; any string that the kind understands. */
  cursor: string
  /** Whether more is waiting behind the cursor. */
  more: boolean
}

export interface SearchKind {
  /** A short word, such as `transcript`; part of the API. */
  readonly kind: string
  /** For people, such as `Conversations`. */
  readonly title: string
  /** Keeps this many of a group's documents, the newest; the others are left out of the search. */
  readonly maxPerGroup?: number
  /**
   * Documents that are new or changed after the cursor, oldest change first; null is the beginning. One that is given
   * twice costs little, so a cursor that overlaps is better than one that misses a late commit.
   */
  changed(after: string | null, limit: number): Promise<SearchChanges>
  /**
   * Those of the given documents that no longer exist. The index asks about each of its documents from time to time, and
   * every search about what it found, so it has to be quick.
   */
  missing(documents: readonly { id: string; at: Date }[]): Promise<string[]>
}
