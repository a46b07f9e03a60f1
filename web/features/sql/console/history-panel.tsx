import { useState } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import type { AuditRecord } from '#sql/contract'
import { Badge } from '../../../ui/badge.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { SearchInput } from '../../../ui/input.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'
import { SidePanel } from '../../../ui/side-panel.tsx'
import { ListSkeleton } from '../../../ui/skeleton.tsx'
import { useDebounced } from '../../../ui/use-debounced.ts'
import { historyQuery } from '../sql-queries.ts'
import { auditNames, auditTones } from '../sql-words.ts'

interface HistoryPanelProps {
  groupId: string
  /** Puts a statement into the editor. */
  onChoose: (record: AuditRecord) => void
  onClose: () => void
}

/** What this person has sent, from the audit log. */
export function HistoryPanel({ groupId, onChoose, onClose }: HistoryPanelProps) {
  const [search, setSearch] = useState('')
  const list = useInfiniteQuery(historyQuery(groupId, useDebounced(search.trim())))
  const records = list.data?.pages.flatMap(({ data }) => data).filter(isTyped)
  return (
    <SidePanel open onClose={onClose} title="History">
      <header className="flex items-center gap-3 border-b border-line px-5 py-3">
        <h2 className="text-base font-semibold">History</h2>
        <SearchInput
          label="Search your statements"
          className="min-w-0 flex-1"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <IconButton label="Close" icon={X} onClick={onClose} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {list.error && (
          <div className="p-5">
            <FailureNotice error={list.error} onRetry={() => list.refetch()} />
          </div>
        )}
        {list.isPending && (
          <div className="p-5">
            <ListSkeleton />
          </div>
        )}
        {records?.length === 0 && (
          <p className="p-5 text-sm text-ink-soft">
            {search === ''
              ? 'Statements that you run appear here.'
              : 'None of your statements has this in it.'}
          </p>
        )}
        <ul aria-label="Your statements" className="divide-y divide-line">
          {records?.map((record) => (
            <li key={record.id}>
              <button
                type="button"
                onClick={() => onChoose(record)}
                className="block w-full px-5 py-3 text-left -outline-offset-2 hover:bg-hover"
              >
                <code className="line-clamp-3 font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere]">
                  {record.sql}
                </code>
                <span className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-ink-faint">
                  <Badge tone={auditTones[record.status]}>{auditNames[record.status]}</Badge>
                  {record.database} · <MomentText time={record.created_at} />
                  {record.truncated && <span>Cut at 10 KB</span>}
                </span>
              </button>
            </li>
          ))}
        </ul>
        {list.hasNextPage && (
          <div className="flex justify-center p-4">
            <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              Load more
            </Button>
          </div>
        )}
      </div>
    </SidePanel>
  )
}

/** Without migrations, undos and changes of policies. */
const isTyped = ({ kind }: AuditRecord): boolean => kind === 'execute'
