import { useEffect, useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { RunEvent } from '#agents/contract'
import { followStream } from '../../../../api/follow-stream.ts'
import { runQuery } from '../run-queries.ts'
import { hasEnded } from '../run-words.ts'
import { emptyLog, extendLog, type RunLog } from './run-log.ts'

export type Connection = 'connecting' | 'open' | 'lost' | 'refused'

export interface FollowedRun {
  log: RunLog
  connection: Connection
}

/**
 * The events of a run from the first one on, and those that follow. The run is read again when its status changes. The
 * stream ends with the run; `turns` rises when somebody continues it.
 */
export function useRunLog(groupId: string, runId: string, turns: number): FollowedRun {
  const queryClient = useQueryClient()
  const [followed, setFollowed] = useState<FollowedRun>({ log: emptyLog, connection: 'connecting' })
  const kept = useRef(emptyLog)
  useEffect(() => {
    let log = kept.current
    const show = (connection: Connection) => {
      kept.current = log
      setFollowed({ log, connection })
    }
    const reload = () => void queryClient.invalidateQueries(runQuery(groupId, runId))
    return followStream(
      `/api/agent-runs/${encodeURIComponent(runId)}/events${log.seq === 0 ? '' : `?after=${log.seq}`}`,
      groupId,
      {
        onOpen: (isResumed) => {
          show('open')
          if (isResumed) reload()
        },
        onMessages: (messages) => {
          if (messages.length === 0) return
          const events = messages.map(({ data }) => JSON.parse(data) as RunEvent)
          log = extendLog(log, events)
          show('open')
          if (events.some(({ type }) => type === 'status')) reload()
        },
        onLost: () => show('lost'),
        onRefused: () => show('refused'),
      },
      { isComplete: () => log.live.status !== undefined && hasEnded(log.live.status) },
    )
  }, [queryClient, groupId, runId, turns])
  return followed
}
