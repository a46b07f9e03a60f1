import type { TranscriptWatcher } from '#transcripts/contract'
import type { Status } from '../../../ui/status-dot.tsx'

/** A watcher without changes reports every ten minutes. */
const isLate = (watcher: TranscriptWatcher, now: number): boolean =>
  now - Date.parse(watcher.seen_at) > 1_500_000

export const behindOf = ({ roots }: TranscriptWatcher): number =>
  roots.reduce((sum, { behind_bytes }) => sum + behind_bytes, 0)

export const filesOf = ({ roots }: TranscriptWatcher): number =>
  roots.reduce((sum, { files }) => sum + files, 0)

export function statusOf(watcher: TranscriptWatcher, now: number): { status: Status; words: string } {
  if (isLate(watcher, now)) return { status: 'off', words: 'Offline' }
  if (watcher.problem !== null) return { status: 'error', words: 'Failing' }
  if (behindOf(watcher) > 0) return { status: 'warning', words: 'Catching up' }
  return { status: 'ok', words: 'Up to date' }
}

const reasons: Record<string, string> = {
  too_long: 'A line longer than the limit',
  not_utf8: 'Not valid UTF-8',
  unreadable: 'The file cannot be read',
  outside_root: 'A link out of the folder',
  too_large: 'The file is larger than the limit',
  refused: 'The server refused it',
}

export const reasonText = (reason: string): string => reasons[reason] ?? reason
