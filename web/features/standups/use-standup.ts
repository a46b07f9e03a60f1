import { useEffect, useReducer, useState } from 'react'
import type { Standup, StandupEvent } from '#standups/contract'
import { followStream } from '../../api/follow-stream.ts'
import { addressOf } from '../../api/client.ts'
import { addEvents, emptyState, type StandupState } from './standup-state.ts'

export type Connection = 'open' | 'lost' | 'refused'

/** A stand-up as it is now: what was said before, and everything that is said from here on. */
export function useStandup(
  groupId: string,
  session: Standup,
): { state: StandupState; connection: Connection } {
  const [state, add] = useReducer(addEvents, session, begin)
  const [connection, setConnection] = useState<Connection>('open')
  useEffect(() => {
    const path = addressOf('/api/initiatives/{id}/standup/events', {
      path: { id: session.initiative_id },
      query: { session_id: session.id, after: String(begin(session).lastId) },
    })
    let isDeleted = false
    const listener = {
      onOpen: () => setConnection('open'),
      onMessages: (messages: readonly { data: string }[]) => {
        const events = messages.flatMap(({ data }) => (data === '' ? [] : (JSON.parse(data) as StandupEvent)))
        isDeleted ||= events.some((event) => event.type === 'ended' && event.reason === 'deleted')
        add(events)
      },
      onLost: () => setConnection('lost'),
      onRefused: () => setConnection('refused'),
    }
    return followStream(path, groupId, listener, { isComplete: () => isDeleted })
    // A page shows one session for as long as it is mounted; what was read first decides where the stream begins.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [groupId, session.id])
  return { state, connection }
}

const begin = (session: Standup): StandupState => {
  const state = addEvents(emptyState, session.events)
  return {
    ...state,
    brief: state.brief ?? session.brief,
    isBusy: session.is_busy,
    invited: session.invited,
    proposals: new Map(session.proposals.map((proposal) => [proposal.id, proposal])),
    drafts: new Map(session.artifacts.map((draft) => [draft.id, draft])),
  }
}
