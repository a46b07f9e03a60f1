import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { ShieldCheck } from 'lucide-react'
import type { Approval } from '#sql/contract'
import type { CurrentGroup } from '../../../api/session.ts'
import { inGroup } from '../../../shell/no-group.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'
import { Page } from '../../../ui/page.tsx'
import { counted } from '../../../ui/quantity.ts'
import { Segmented } from '../../../ui/segmented.tsx'
import { ListSkeleton } from '../../../ui/skeleton.tsx'
import { useAskerName } from '../asker-text.tsx'
import { readApprovalsAddress } from '../sql-address.ts'
import { approvalsQuery } from '../sql-queries.ts'
import { SqlTabs } from '../sql-tabs.tsx'
import { approvalNames, approvalTones } from '../sql-words.ts'

const route = getRouteApi('/shell/sql/approvals')
const choices = [
  { id: 'pending', label: 'Waiting' },
  { id: 'approved', label: 'Approved' },
  { id: 'used', label: 'Run' },
  { id: 'rejected', label: 'Rejected' },
  { id: 'expired', label: 'Expired' },
] as const

export const ApprovalsPage = inGroup(Approvals)

function Approvals({ group }: { group: CurrentGroup }) {
  const { status = 'pending' } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, isPending, refetch } = useQuery(approvalsQuery(group.id, status))
  return (
    <Page title="SQL" description="Statements that wait for a person, with what they would do." wide>
      <SqlTabs groupId={group.id} />
      <div className="space-y-4">
        <Segmented
          label="Status"
          choices={choices}
          value={status}
          onChange={(next) =>
            void navigate({ search: readApprovalsAddress({ status: next }), replace: true })
          }
        />
        {error && <FailureNotice error={error} onRetry={refetch} />}
        {isPending && <ListSkeleton />}
        {data?.length === 0 && (
          <EmptyState icon={ShieldCheck} title={status === 'pending' ? 'Nothing waits for approval' : 'None'}>
            When an agent sends a statement that its policy lets a person decide, it appears here with the
            rows it would change.
          </EmptyState>
        )}
        <ul className="space-y-3">
          {data?.map((approval) => (
            <ApprovalItem key={approval.id} approval={approval} />
          ))}
        </ul>
      </div>
    </Page>
  )
}

function ApprovalItem({ approval }: { approval: Approval }) {
  const { id, status, operations, database, sql, reason, created_at, preview } = approval
  const askerName = useAskerName()
  const rows = preview.effect?.tables.reduce(
    (sum, each) => sum + each.inserted + each.updated + each.deleted,
    0,
  )
  return (
    <li className="rounded-xl border border-line bg-surface p-4 shadow-low">
      <div className="flex flex-wrap items-center gap-1.5">
        <Badge tone={approvalTones[status]}>{approvalNames[status]}</Badge>
        {operations.map((operation) => (
          <Badge key={operation} mono>
            {operation}
          </Badge>
        ))}
        <span className="text-sm text-ink-soft">
          in {database}
          {rows !== undefined && rows > 0 && `, ${counted(rows, 'row')}`}
        </span>
        {status === 'pending' && (
          <Link
            to="/sql/approvals/$id"
            params={{ id }}
            aria-label={`Review ${operations.join(', ')} in ${database}`}
            className={clsx(buttonClass('primary', 'small'), 'ml-auto')}
          >
            Review
          </Link>
        )}
      </div>
      <Link to="/sql/approvals/$id" params={{ id }} className="mt-2 block hover:underline">
        <code className="line-clamp-3 font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere]">
          {sql}
        </code>
      </Link>
      <p className="mt-2 text-xs text-ink-faint">
        {reason} · asked by {askerName(approval.asked_by, approval.requested_by)},{' '}
        <MomentText time={created_at} />
      </p>
    </li>
  )
}
