import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../../ui/button.tsx'
import { counted } from '../../../ui/quantity.ts'
import { StatusDot, type Status } from '../../../ui/status-dot.tsx'
import { watchersQuery } from '../transcript-queries.ts'
import { statusOf } from './watcher-words.ts'

/** The worst first. */
const order: readonly Status[] = ['error', 'warning', 'off', 'ok']

/** All watchers in a few words, with the way to their page. */
export function WatcherStatus({ groupId }: { groupId: string }) {
  const { data } = useQuery(watchersQuery(groupId))
  if (!data) return null
  const states = data.map((watcher) => statusOf(watcher, Date.now()))
  const worst = order.find((status) => states.some((state) => state.status === status)) ?? 'off'
  const words = states.find(({ status }) => status === worst)?.words.toLowerCase()
  return (
    <Link to="/transcripts/watchers" className={buttonClass()}>
      <StatusDot status={worst} blinking={worst === 'warning'}>
        {data.length === 0 ? 'No watchers' : `${counted(data.length, 'machine')}: ${words}`}
      </StatusDot>
    </Link>
  )
}
