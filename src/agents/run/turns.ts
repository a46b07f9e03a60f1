import type { RunRow } from './run-store.ts'

/** What the run is asked now: its request, or what somebody wrote after it had ended. */
export const requestOf = ({ request, turns }: Pick<RunRow, 'request' | 'turns'>): string =>
  turns.at(-1)?.request ?? request

/** From 1 on. */
export const turnOf = ({ turns }: Pick<RunRow, 'turns'>): number => turns.length + 1
