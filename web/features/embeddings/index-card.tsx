import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { toast } from 'sonner'
import type { SearchState } from '#search/contract'
import { mayManage, type CurrentGroup } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { counted, countText, percentText } from '../../ui/quantity.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { indexQuery, useReindex } from '../../api/search-index.ts'

const engines: Record<SearchState['engine'], string> = {
  bits: 'nearest vectors by Signalbox itself',
  pgvector: 'nearest vectors by pgvector',
}

/** What the search holds, kind by kind, and how much of it the model has read. */
export function IndexCard({ group }: { group: CurrentGroup }) {
  const index = useQuery(indexQuery(group.id))
  const [isAsking, setAsking] = useState(false)
  if (index.error && !index.data) return <FailureNotice error={index.error} onRetry={() => index.refetch()} />
  return (
    <Card
      title="Search index"
      description={index.data ? summaryOf(index.data) : 'What the search can find.'}
      action={
        mayManage(group.role) && (
          <Button size="small" icon={RefreshCw} onClick={() => setAsking(true)}>
            Read everything again
          </Button>
        )
      }
    >
      {index.data ? <Kinds index={index.data} /> : <Skeleton className="h-20" />}
      {isAsking && <ReindexDialog groupId={group.id} onClose={() => setAsking(false)} />}
    </Card>
  )
}

function summaryOf({ documents, waiting, progress, engine }: SearchState): string {
  if (documents === 0) return 'Empty so far. Models join with the first sync, requests by themselves.'
  const state = waiting === 0 ? 'all read' : `${percentText(progress / 100)} read`
  return `${counted(documents, 'document')}, ${state}; ${engines[engine]}.`
}

function Kinds({ index }: { index: SearchState }) {
  return (
    <ul className="space-y-4">
      {index.kinds.map(({ kind, title, documents, chunks, waiting }) => (
        <li key={kind}>
          <p className="mb-1.5 flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
            <Link to="/search" search={{ kinds: kind }} className="font-medium hover:underline">
              {title}
            </Link>
            <span className="text-xs text-ink-faint">
              {documents === 0
                ? 'none yet'
                : `${counted(documents, 'document')} in ${counted(chunks, 'piece')}${waiting > 0 ? `, ${countText(waiting)} to go` : ''}`}
            </span>
          </p>
          <ProgressBar
            label={`${title}: read by the model`}
            percent={chunks === 0 ? 0 : ((chunks - waiting) / chunks) * 100}
          />
        </li>
      ))}
    </ul>
  )
}

function ReindexDialog({ groupId, onClose }: { groupId: string; onClose: () => void }) {
  const reindex = useReindex(groupId)
  const start = () =>
    reindex.mutate(undefined, {
      onSuccess: () => {
        onClose()
        toast.success('Everything is being read again', {
          description: 'It goes on in the background; the search works meanwhile.',
        })
      },
    })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Read everything again?"
      action="Read again"
      onConfirm={start}
      busy={reindex.isPending}
      error={reindex.error}
    >
      <p>
        Every document of every group is read from its source once more, in the background. What has not
        changed keeps its vector, so this is seldom needed: it helps when something that should be found is
        not.
      </p>
    </ConfirmDialog>
  )
}
