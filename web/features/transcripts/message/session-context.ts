import { createContext, useContext } from 'react'
import type { TranscriptDetail } from '#transcripts/contract'

/** What the rows know of the session they belong to. */
export interface SessionPlace {
  groupId: string
  session: TranscriptDetail
  /** The message that the address names: it is unfolded and marked. */
  target: string | undefined
  /** Within the session that started it. */
  isNested: boolean
}

export const SessionContext = createContext<SessionPlace | null>(null)

export function useSessionPlace(): SessionPlace {
  const place = useContext(SessionContext)
  if (!place) throw new Error('Messages are shown within a session')
  return place
}
