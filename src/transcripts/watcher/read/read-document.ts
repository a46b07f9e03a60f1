import { cleanLine } from './clean.ts'
import { bornAt, identify, readAt, sha256, stampOf, type OpenFile } from './file.ts'
import { limits, type ReadRequest, type ReadResult } from './request.ts'

/** A file that is rewritten whole: one line for each version. */
export async function readDocument(file: OpenFile, request: ReadRequest): Promise<ReadResult> {
  const { handle, stat, stamp } = file
  const { position, source } = request
  const isJson = source.path.endsWith('.json')
  if (isJson && stamp.size > limits.documentBytes)
    return { kind: 'skipped', reason: 'too_large', bytes: stamp.size, stamp }
  const bytes = await readAt(handle, 0, isJson ? stamp.size : Math.min(stamp.size, limits.textBytes))
  if (stampOf(await handle.stat({ bigint: true })).modified !== stamp.modified) return { kind: 'unsettled' }
  const tailHash = sha256(bytes)
  if (position?.tailHash === tailHash) return { kind: 'unchanged', stamp }
  const raw = lineOf(bytes, isJson)
  // Half of a document that is being written: the other half changes the file again.
  if (raw === undefined && !request.isSuspect) return { kind: 'unsettled' }
  const { line, blobs } = cleanLine(raw ?? JSON.stringify(bytes.toString()), request.isRedacted)
  if (line.length > limits.lineBytes)
    return { kind: 'skipped', reason: 'too_large', bytes: stamp.size, stamp }
  const from = position?.offset ?? 0
  const place = { source, generation: position?.generation ?? 0, from, to: from + 1, cursor: null, tailHash }
  const identity = await identify(file)
  const segment = { ...place, identity, ...bornAt(stat), lines: [line], skipped: [], blobs }
  return { kind: 'segment', segment, stamp, hasMore: false }
}

/** JSON on one line; any other text as a JSON string. Undefined: meant to be JSON, but it is not. */
function lineOf(bytes: Buffer, isJson: boolean): string | undefined {
  const text = bytes.toString()
  if (!isJson) return JSON.stringify(text)
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return undefined
  }
}
