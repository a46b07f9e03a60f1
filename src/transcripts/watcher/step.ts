import type { Log } from '#kernel/log'
import type { Segment, Sink, SkippedBytes, SourcePosition } from '../segment.ts'
import { SegmentRefused } from './errors.ts'
import type { Followed } from './followed.ts'
import type { ReadRequest, ReadResult } from './read/index.ts'

export interface StepDeps {
  sink: Sink
  read(request: ReadRequest): Promise<ReadResult>
  onSkip(file: Followed, skipped: Omit<SkippedBytes, 'position'>): void
  onGone(file: Followed): void
  isRedacted: boolean
  log: Log
}

/** Whether the file has something left to send. */
type After = 'more' | 'done'

/** Reads one segment of a file and gives it to the archive. */
export function createStep(deps: StepDeps): (file: Followed) => Promise<After> {
  const { sink, log } = deps

  async function step(file: Followed): Promise<After> {
    if (file.position === undefined) file.position = await sink.position(file.source)
    const { source, position, isSuspect } = file
    const lineByLine = file.isLineByLine ? { maxLines: 1 } : {}
    const result = await deps.read({
      source,
      position,
      isSuspect,
      isRedacted: deps.isRedacted,
      ...lineByLine,
    })
    let after: After = 'done'
    if (result.kind === 'segment') after = await send(file, result)
    else if (result.kind === 'missing') {
      if (position !== null) await sink.missing(source)
      deps.onGone(file)
    } else settle(file, result)
    file.failures = 0
    return after
  }

  function settle(file: Followed, result: Exclude<ReadResult, { kind: 'segment' | 'missing' }>): void {
    file.isUnsettled = result.kind === 'unsettled'
    file.isSuspect = false
    file.isLineByLine = false
    file.stamp = result.kind === 'unsettled' ? undefined : (result.stamp ?? undefined)
    if (result.kind === 'skipped') deps.onSkip(file, { reason: result.reason, bytes: result.bytes })
  }

  async function send(file: Followed, result: Extract<ReadResult, { kind: 'segment' }>): Promise<After> {
    const { segment, stamp, hasMore } = result
    const before = file.position
    const position = await takeOrShrink(file, segment)
    if (position === undefined) return 'more'
    file.position = position
    const isTaken = position.generation === segment.generation && position.offset === segment.to
    if (!isTaken && isSamePlace(before, position))
      throw new Error(`the archive stays at ${position.generation}/${position.offset}`)
    file.isSuspect &&= !isTaken
    file.isUnsettled = false
    for (const each of isTaken ? segment.skipped : []) deps.onSkip(file, each)
    if (hasMore || !isTaken) return 'more'
    file.stamp = stamp
    file.isLineByLine = false
    return 'done'
  }

  /** A segment that is refused is sent line by line (undefined), and then without the line that is at fault. */
  async function takeOrShrink(file: Followed, segment: Segment): Promise<SourcePosition | undefined> {
    try {
      return await sink.take(segment)
    } catch (error) {
      if (!(error instanceof SegmentRefused)) throw error
      log.warn({ path: file.source.path, reason: error.message }, 'the archive refused lines of a transcript')
      if (segment.lines.length > 1 && !file.isLineByLine) {
        file.isLineByLine = true
        return undefined
      }
      file.isLineByLine = false
      const bytes = segment.lines.reduce((sum, line) => sum + line.length, 0)
      const skipped = [{ reason: 'refused' as const, bytes, position: segment.from }]
      deps.onSkip(file, { reason: 'refused', bytes })
      return sink.take({ ...segment, lines: [], blobs: [], skipped })
    }
  }

  return step
}

function isSamePlace(before: SourcePosition | null | undefined, after: SourcePosition): boolean {
  return before?.generation === after.generation && before.offset === after.offset
}
