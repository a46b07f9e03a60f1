import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useParams } from '@tanstack/react-router'
import { MessagesSquare } from 'lucide-react'
import { useCurrentGroup } from '../../../api/session.ts'
import { NoGroup } from '../../../shell/no-group.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageSkeleton } from '../../../ui/skeleton.tsx'
import { sessionByKeyQuery } from '../transcript-queries.ts'

export function ByKeyPage() {
  const group = useCurrentGroup()
  const { key } = useParams({ from: '/shell/transcripts/by-key/$key' })
  return group === null ? (
    <NoGroup />
  ) : (
    <ByKey key={`${group.id} ${key}`} groupId={group.id} sessionKey={key} />
  )
}

/** Leads to the session, or says that there is none. */
function ByKey({ groupId, sessionKey }: { groupId: string; sessionKey: string }) {
  const { data, error, refetch } = useQuery(sessionByKeyQuery(groupId, sessionKey))
  if (error) return <FailureNotice error={error} onRetry={() => refetch()} />
  if (data === undefined) return <PageSkeleton />
  if (data !== null) return <Navigate to="/transcripts/$id" params={{ id: data.id }} replace />
  return (
    <Page title="Transcript">
      <EmptyState
        icon={MessagesSquare}
        title="No transcript of this session"
        action={
          <>
            <Link to="/transcripts/watchers" className={buttonClass('primary')}>
              Show watchers
            </Link>
            <Link to="/logs" search={{ session: sessionKey }} className={buttonClass()}>
              Show its requests
            </Link>
          </>
        }
      >
        No watcher has sent the session {sessionKey}. It appears when the machine on which it ran is watched.
      </EmptyState>
    </Page>
  )
}
