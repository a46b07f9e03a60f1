import type { Segment, SkipReason, SourceName, SourcePosition } from '../../segment.ts'

export interface ReadRequest {
  source: SourceName
  /** Where the archive stands with the source. */
  position: SourcePosition | null
  /** The file changed without growing: it is read from its beginning as a new generation. */
  isSuspect: boolean
  /** Whether what looks like a secret is masked. */
  isRedacted: boolean
  /** The maximum number of lines: a segment that the archive refused is sent line by line. */
  maxLines?: number
}

/** What shows, without reading, that a file has changed. */
export interface FileStamp {
  inode: string
  size: number
  modified: string
}

export type ReadResult =
  | { kind: 'segment'; segment: Segment; stamp: FileStamp; hasMore: boolean }
  | { kind: 'unchanged'; stamp: FileStamp }
  | { kind: 'skipped'; reason: SkipReason; bytes: number; stamp: FileStamp | null }
  /** It changed while it was read, or is being written: to be read again after the next change. */
  | { kind: 'unsettled' }
  | { kind: 'missing' }

export const limits = {
  chunkBytes: 1_048_576,
  /** Of the lines of a segment, without what was cut out. */
  segmentBytes: 2_097_152,
  segmentLines: 20_000,
  /** Of images in a segment. */
  blobBytes: 8_388_608,
  /** Of the file, for lines that are not kept: how often the position is stored. */
  rawBytes: 67_108_864,
  /** Of a compressed file, this much is read. */
  unpackedBytes: 2_147_483_648,
  /** A longer line is not looked at. */
  rawLineBytes: 67_108_864,
  /** What is left of a line when images are cut out. */
  lineBytes: 8_388_608,
  /** A longer document is not looked at, and of a longer text only the beginning is kept. */
  documentBytes: 67_108_864,
  textBytes: 1_048_576,
}
