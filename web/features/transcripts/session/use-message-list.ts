import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { TranscriptDetail } from '#transcripts/contract'
import { messagePages } from '../transcript-queries.ts'
import type { Shown } from '../transcripts-address.ts'
import { MessageList, type MessageListState } from './message-list.ts'

interface MessageListInput {
  id: string
  /** Loads the messages around this one. */
  message: string | undefined
  show: Shown | undefined
}

interface LoadedMessages {
  list: MessageList
  state: MessageListState
  /** The session, also while another part of it is loading. */
  session: TranscriptDetail | null
  /** Another one for each list. */
  key: string
  /** Loads the newest messages, wherever the list is. */
  reload: () => void
}

/** The list of the session. It is loaded around another message only if that message is not in it. */
export function useMessageList({ id, message, show }: MessageListInput): LoadedMessages {
  const [place, setPlace] = useState({ around: message, show, count: 0 })
  // A filter applies to the whole session: it begins at the end again.
  const around = place.show === show ? place.around : undefined
  const key = JSON.stringify([id, around, show, place.count])
  const list = useMemo(
    () => new MessageList(messagePages(id, around, show)),
    // The count stands for a reload.
    // oxlint-disable-next-line react/exhaustive-deps
    [key],
  )
  const state = useSyncExternalStore(list.subscribe, list.get)
  const [last, setLast] = useState(state.session)
  if (state.session !== null && state.session !== last) setLast(state.session)
  useEffect(() => void list.load(), [list])
  usePolling(list)
  useEffect(() => {
    if (message === undefined || message === around || list.get().phase === 'loading') return
    if (!list.get().messages.some((each) => each.id === message))
      setPlace(({ count }) => ({ around: message, show, count }))
    // Only a change of the address leads elsewhere.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [message])
  return {
    list,
    state,
    session: state.session ?? last,
    key,
    reload: () => setPlace(({ count }) => ({ around: undefined, show, count: count + 1 })),
  }
}

/** A session that ended longer ago is rarely continued. */
const youngFor = 10 * 60_000
const often = 2_000
const seldom = 30_000

/** Looks for new messages while the page is visible: every two seconds in a session that is running. */
function usePolling(list: MessageList): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const next = () => {
      const ended = list.get().session?.ended_at ?? null
      // Unknown while the first page is loading.
      const isYoung = ended === null || Date.now() - Date.parse(ended) < youngFor
      timer = setTimeout(() => void tick(), isYoung ? often : seldom)
    }
    const tick = async () => {
      if (document.visibilityState === 'visible') await list.poll()
      next()
    }
    const onVisible = () => {
      if (document.visibilityState === 'visible') void list.poll()
    }
    next()
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [list])
}
