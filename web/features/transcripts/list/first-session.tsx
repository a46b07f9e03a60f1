import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { KeyRound, MessagesSquare, Radio } from 'lucide-react'
import { buttonClass } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { watchersQuery } from '../transcript-queries.ts'
import { assistantNames } from '../transcript-words.ts'
import { WatchCommand } from '../watchers/watch-command.tsx'

const namesText = new Intl.ListFormat('en').format(Object.values(assistantNames))

/** Before the first session: what is watched, and how to watch another machine. */
export function FirstSession({ groupId }: { groupId: string }) {
  const watchers = useQuery(watchersQuery(groupId)).data ?? []
  const files = watchers.flatMap(({ roots }) => roots).reduce((sum, root) => sum + root.files, 0)
  return (
    <div className="space-y-5">
      <EmptyState
        icon={MessagesSquare}
        title="No sessions yet"
        action={
          <>
            <Link to="/keys" search={{ new: true }} className={buttonClass('primary')}>
              <KeyRound aria-hidden className="size-4" /> Create key
            </Link>
            <Link to="/transcripts/watchers" className={buttonClass()}>
              <Radio aria-hidden className="size-4" /> Show watchers
            </Link>
          </>
        }
      >
        Signalbox keeps the sessions of {namesText}. Those on this server appear automatically. Run the
        command below on every other machine.
      </EmptyState>
      <WatchCommand groupId={groupId} />
      <p className="flex justify-center text-sm text-ink-soft">
        <StatusDot status={watchers.length === 0 ? 'off' : 'warning'} blinking={watchers.length > 0}>
          {watchers.length === 0
            ? 'No machine is watched yet'
            : files === 0
              ? 'Watching. No session files found yet'
              : 'Reading the first sessions'}
        </StatusDot>
      </p>
    </div>
  )
}
