import type { ConsoleEvent, StreamGap } from '#console/contract'

export type LiveState =
  | 'connecting'
  | 'open'
  /** The connection was lost; the next attempt follows. */
  | 'lost'
  /** The server refuses: nobody is signed in, or the group is not theirs. */
  | 'refused'

/** What the stream reports to every tab. */
export type LiveMessage =
  | { kind: 'state'; state: LiveState; isResumed?: boolean }
  | { kind: 'events'; events: ConsoleEvent[] }
  | { kind: 'gap'; gap: StreamGap }

export type LiveListener = (message: LiveMessage) => void

/** What a tab asks of the shared worker. */
export type LiveRequest = { kind: 'join'; groupId: string } | { kind: 'leave' }
