import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { WaitingFor } from '#agents/contract'
import { Badge } from '../../../../ui/badge.tsx'
import { MomentText } from '../../../../ui/moment-text.tsx'
import { FailureNotice } from '../../../../ui/notice.tsx'
import {
  approvalNames,
  approvalQuery,
  approvalTones,
  DecideForm,
  EvidenceCard,
  StatementText,
} from '../../../sql/index.ts'

interface ApprovalWaitProps {
  groupId: string
  waitingFor: Extract<WaitingFor, { kind: 'approval' }>
}

/** The statement, its effect, and the decision for people who may make it. */
export function ApprovalWait({ groupId, waitingFor }: ApprovalWaitProps) {
  const { approval_id, sql, database, expires_at } = waitingFor
  const { data: approval, error, refetch } = useQuery(approvalQuery(groupId, approval_id))
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-1.5 gap-y-1 text-sm text-ink-soft">
        {approval && approval.status !== 'pending' && (
          <Badge tone={approvalTones[approval.status]}>{approvalNames[approval.status]}</Badge>
        )}
        {approval?.operations.map((operation) => (
          <Badge key={operation} mono>
            {operation}
          </Badge>
        ))}
        <span>{`in ${database}, expires`}</span>
        <MomentText time={expires_at} />
        <Link
          to="/sql/approvals/$id"
          params={{ id: approval_id }}
          className="text-accent underline underline-offset-2"
        >
          Open the approval
        </Link>
      </p>
      <StatementText sql={sql} />
      {error && <FailureNotice error={error} onRetry={refetch} />}
      {approval && (
        <details className="group/evidence" open>
          <summary className="w-fit text-sm font-medium select-none">What it would do</summary>
          <div className="mt-2">
            <EvidenceCard evidence={approval.preview} />
          </div>
        </details>
      )}
      {approval?.status === 'pending' && <DecideForm groupId={groupId} approval={approval} />}
      {approval?.status === 'approved' && (
        <p className="text-sm text-ink-soft">The agent continues in a moment.</p>
      )}
    </>
  )
}
