import type { EventSourceMessage } from 'eventsource-parser'
import type { ConsoleEvent, StreamGap } from '#console/contract'
import { followStream, type StreamOptions } from '../../../api/follow-stream.ts'
import type { LiveListener } from './messages.ts'

export type ConnectionOptions = Pick<StreamOptions, 'fetch' | 'wait'>

/** Reads the stream of a group until it is stopped, and resumes it after the last event when it breaks. */
export function openConnection(
  groupId: string,
  listener: LiveListener,
  options: ConnectionOptions = {},
): () => void {
  return followStream(
    '/api/console/stream',
    groupId,
    {
      onOpen: (isResumed) => listener({ kind: 'state', state: 'open', isResumed }),
      onMessages: (messages) => report(messages, listener),
      onLost: () => listener({ kind: 'state', state: 'lost' }),
      onRefused: () => listener({ kind: 'state', state: 'refused' }),
    },
    options,
  )
}

/** All events of a piece in one message, with gaps in their place between them. */
function report(messages: readonly EventSourceMessage[], tell: LiveListener): void {
  let events: ConsoleEvent[] = []
  const flush = () => {
    if (events.length > 0) tell({ kind: 'events', events })
    events = []
  }
  for (const { event, data } of messages) {
    if (event !== 'gap') events.push(JSON.parse(data) as ConsoleEvent)
    else {
      flush()
      tell({ kind: 'gap', gap: JSON.parse(data) as StreamGap })
    }
  }
  flush()
}
