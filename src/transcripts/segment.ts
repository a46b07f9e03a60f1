import type { AssistantId } from './assistants/index.ts'

/*
 * What a watcher and the archive say to each other. A watcher follows files and hands on segments of complete lines;
 * the archive stores a segment in one transaction together with the position behind it, so that either may be killed
 * at any moment.
 */

/** A file of an assistant on a machine. */
export interface SourceName {
  machine: string
  assistant: AssistantId
  /** The assistant's folder, absolute. */
  root: string
  /** Relative to the root, with `/`. */
  path: string
}

/** What shows that a file is still the same file. */
export interface FileIdentity {
  device: string
  inode: string
  /** SHA-256 of the first bytes, hex. */
  headHash: string
  /** How many bytes were hashed, at most 4096. */
  headBytes: number
}

/** Where the archive stands with a source. */
export interface SourcePosition {
  /** Raised when the file was replaced, shrank, or changed before the offset. */
  generation: number
  offset: number
  identity: FileIdentity | null
  /** Of a database: where the next snapshot begins. */
  cursor: unknown
  /** Hash of the last bytes before the offset, by which an edited beginning is noticed. */
  tailHash?: string
}

export const skipReasons = [
  'too_long',
  'not_utf8',
  'unreadable',
  'outside_root',
  'too_large',
  'refused',
] as const
export type SkipReason = (typeof skipReasons)[number]

export interface SkippedBytes {
  reason: SkipReason
  bytes: number
  position: number
}

export interface Blob {
  sha256: string
  mime: string | null
  data: Uint8Array
}

export interface Segment {
  source: SourceName
  generation: number
  /** Bytes [from, to) of the file, complete lines only. Of documents and databases: a counter of versions. */
  from: number
  to: number
  identity: FileIdentity | null
  cursor: unknown
  tailHash?: string
  /** When the file was created, where the system says so: of two sessions that share records the older one owns them. */
  bornAt?: string
  /** Raw lines without their ends. */
  lines: string[]
  skipped: SkippedBytes[]
  /** What was cut out of the lines: a string `blob:<sha256>` is in its place. */
  blobs: Blob[]
}

/** The string that stands in a line where an image was cut out. */
export const blobMark = 'blob:'

/** Where segments go: the database of this process, or a server over HTTP. */
/** An assistant's folder on a machine. */
export type RootName = Omit<SourceName, 'path'>

export interface FilePage {
  paths: string[]
  /** Null: there are no more. */
  next: string | null
}

export interface Sink {
  /** Null: never seen. */
  position(source: SourceName): Promise<SourcePosition | null>
  /**
   * Stores a segment that begins where the source stands, or with a higher generation at 0, and returns the position
   * behind it. Any other segment changes nothing and returns the stored position: the watcher continues there.
   */
  take(segment: Segment): Promise<SourcePosition>
  /** Files of a folder that the archive has and that were not reported as deleted, a page after a cursor. */
  files(root: RootName, cursor: string | null): Promise<FilePage>
  /** The file was deleted: its sessions stay, marked as missing their source. */
  missing(source: SourceName): Promise<void>
  /** What this watcher follows and skips. */
  report(status: WatcherReport): Promise<void>
}

export interface WatcherReport {
  machine: string
  version: string
  startedAt: string
  roots: { assistant: AssistantId; path: string; files: number; behindBytes: number }[]
  /** The newest, at most 100. */
  skipped: { assistant: AssistantId; path: string; reason: SkipReason; bytes: number; at: string }[]
  /** What keeps it from working, if anything. */
  problem: string | null
}
