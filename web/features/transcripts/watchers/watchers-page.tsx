import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, KeyRound, Radio } from 'lucide-react'
import { inGroup } from '../../../shell/no-group.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { ListSkeleton } from '../../../ui/skeleton.tsx'
import { watchersQuery } from '../transcript-queries.ts'
import { WatchCommand } from './watch-command.tsx'
import { WatcherCard } from './watcher-card.tsx'

export const WatchersPage = inGroup(({ group }) => <Watchers groupId={group.id} />)

function Watchers({ groupId }: { groupId: string }) {
  const { data, error, refetch } = useQuery(watchersQuery(groupId))
  return (
    <Page
      title="Watchers"
      description="The machines whose sessions are kept, how far each one is, and what it skipped and why."
      actions={
        <Link to="/transcripts" className={buttonClass()}>
          <ArrowLeft aria-hidden className="size-4" /> Transcripts
        </Link>
      }
    >
      <div className="space-y-4">
        {error && <FailureNotice error={error} onRetry={() => refetch()} />}
        {!data && !error && <ListSkeleton />}
        {data?.length === 0 && (
          <EmptyState icon={Radio} title="No watchers yet">
            A server with the role “watcher” watches its own folders. Every other machine runs the command
            below.
          </EmptyState>
        )}
        {data?.map((watcher) => (
          <WatcherCard key={watcher.machine} watcher={watcher} />
        ))}
        <Card
          title="Watch another machine"
          description="Run it on the machine where you use coding assistants."
          action={
            <Link to="/keys" search={{ new: true }} className={buttonClass('plain', 'small')}>
              <KeyRound aria-hidden className="size-4" /> Create key
            </Link>
          }
        >
          <WatchCommand groupId={groupId} />
        </Card>
      </div>
    </Page>
  )
}
