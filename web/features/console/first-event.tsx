import { Link } from '@tanstack/react-router'
import { KeyRound, SquareTerminal } from 'lucide-react'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { SendEvents } from './send-events.tsx'

/** Before the first event: how to send one, while the page waits for it. */
export function FirstEvent({ groupId, source }: { groupId: string; source: string | undefined }) {
  return (
    <div className="space-y-5">
      <EmptyState
        icon={SquareTerminal}
        title={source === undefined ? 'No events yet' : `No events from ${source} yet`}
        action={
          <>
            <Link to="/keys" search={{ new: true }} className={buttonClass('primary')}>
              <KeyRound aria-hidden className="size-4" /> Create key
            </Link>
            <Link to="/docs" className={buttonClass()}>
              Read the API reference
            </Link>
          </>
        }
      >
        Requests through the gateway and changes of keys and settings appear here automatically. Send the
        events of your own services with an API key that has the scope “events”.
      </EmptyState>
      <SendEvents groupId={groupId} />
      <p className="flex justify-center text-sm text-ink-soft">
        <StatusDot status="warning" blinking>
          Waiting for the first event. It appears here automatically.
        </StatusDot>
      </p>
    </div>
  )
}
