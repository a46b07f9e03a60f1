import { Fragment, type ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Bot, ExternalLink } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'
import { counted } from '../../../ui/quantity.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { rowsOf, type Row } from '../session/rows.ts'
import { subagentQuery } from '../transcript-queries.ts'
import { Fold } from '../../../ui/fold.tsx'
import { SessionContext, useSessionPlace } from './session-context.ts'
import type { Subagent } from './tool-card.tsx'

interface SubagentFoldProps extends Subagent {
  renderRow: (row: Row) => ReactNode
}

/** The session of a subagent within the call that started it. */
export function SubagentFold({ id, title, messages, renderRow }: SubagentFoldProps) {
  return (
    <Fold
      id={`subagent ${id}`}
      icon={Bot}
      label={title ?? 'Subagent'}
      {...(messages !== null && { excerpt: counted(messages, 'message') })}
      extra={
        <Link
          to="/transcripts/$id"
          params={{ id }}
          className="flex shrink-0 items-center gap-1 rounded-md px-1 hover:text-ink"
        >
          <ExternalLink aria-hidden className="size-3.5" /> Open session
        </Link>
      }
    >
      <SubagentMessages id={id} renderRow={renderRow} />
    </Fold>
  )
}

function SubagentMessages({ id, renderRow }: Pick<SubagentFoldProps, 'id' | 'renderRow'>) {
  const { groupId } = useSessionPlace()
  const query = useInfiniteQuery(subagentQuery(groupId, id))
  const pages = query.data?.pages ?? []
  const session = pages.at(-1)?.session
  if (query.error) return <FailureNotice error={query.error} onRetry={() => query.refetch()} />
  if (!session) return <Skeleton className="h-24" />
  const rows = rowsOf(
    pages.flatMap(({ messages }) => messages),
    false,
  )
  return (
    <SessionContext value={{ groupId, session, target: undefined, isNested: true }}>
      <div className="space-y-2 border-l-2 border-line pl-3">
        {rows.map((row) => (
          <Fragment key={row.key}>{renderRow(row)}</Fragment>
        ))}
        {query.hasNextPage && (
          <Button size="small" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Load more messages
          </Button>
        )}
      </div>
    </SessionContext>
  )
}
