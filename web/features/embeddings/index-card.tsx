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
  bits: 'vector search by Signalbox',
  pgvector: 'vector search by pgvector',
}

/** What the search index holds by kind, and how much of it is embedded. */
export function IndexCard({ group }: { group: CurrentGroup }) {
  const index = useQuery(indexQuery(group.id))
  const [isAsking, setAsking] = useState(false)
  if (index.error && !index.data) return <FailureNotice error={index.error} onRetry={() => index.refetch()} />
  return (
    <Card
      title="Search index"
      description={index.data ? summaryOf(index.data) : 'What search can find.'}
      action={
        mayManage(group.role) && (
          <Button size="small" icon={RefreshCw} onClick={() => setAsking(true)}>
            Rebuild index
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
  if (documents === 0) return 'Empty. Models are added by a sync, requests automatically.'
  const state = waiting === 0 ? 'all indexed' : `${percentText(progress / 100)} indexed`
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
                : `${counted(documents, 'document')} in ${counted(chunks, 'chunk')}${waiting > 0 ? `, ${countText(waiting)} left` : ''}`}
            </span>
          </p>
          <ProgressBar
            label={`${title}: indexed`}
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
        toast.success('Index rebuild started', {
          description: 'It runs in the background. Search keeps working.',
        })
      },
    })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Rebuild the index?"
      action="Rebuild index"
      onConfirm={start}
      busy={reindex.isPending}
      error={reindex.error}
    >
      <p>
        Signalbox reloads every document of every group in the background. Unchanged documents keep their
        vectors. Use this when search misses something that should be found.
      </p>
    </ConfirmDialog>
  )
}
