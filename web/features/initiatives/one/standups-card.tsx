import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Badge } from '../../../ui/badge.tsx'
import { exactTime } from '../../../ui/moment.ts'
import { MomentText } from '../../../ui/moment-text.tsx'
import { Dollars } from '../../../ui/dollars.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'
import { Card } from '../../../ui/page.tsx'
import { counted } from '../../../ui/quantity.ts'
import { standupsQuery } from '../initiative-queries.ts'
import type { Place } from './place.ts'

/** Past conversations, and what waits for a decision in them. */
export function StandupsCard({ place }: { place: Place }) {
  const { data, error, refetch } = useQuery(standupsQuery(place.groupId, place.initiative.id))
  return (
    <Card title="Stand-ups">
      {error && <FailureNotice error={error} onRetry={() => refetch()} />}
      {data?.length === 0 && (
        <p className="text-sm text-ink-faint">
          None yet. In a stand-up, an agent reports what changed, asks for decisions and drafts the record.
        </p>
      )}
      <ul className="space-y-3 text-sm">
        {data?.slice(0, 8).map((session) => (
          <li key={session.id}>
            <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
              <Link
                to="/initiatives/$id/standup"
                params={{ id: place.initiative.slug }}
                search={session.status === 'open' ? {} : { session: session.id }}
                className="font-medium hover:underline"
                title={exactTime(session.started_at)}
              >
                <MomentText time={session.started_at} />
              </Link>
              {session.status === 'open' && <Badge tone="info">open</Badge>}
              {session.drafts_waiting > 0 && (
                <Badge tone="accent">{`${counted(session.drafts_waiting, 'draft')} to review`}</Badge>
              )}
            </p>
            <p className="text-xs text-ink-faint">
              {`${session.started_by ?? 'someone'}, ${counted(session.message_count, 'message')}, `}
              <Dollars amount={session.cost} />
            </p>
          </li>
        ))}
      </ul>
    </Card>
  )
}
