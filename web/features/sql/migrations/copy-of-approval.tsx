import { useQuery } from '@tanstack/react-query'
import { CopyCard } from './copy-card.tsx'
import { migrationOfQuery, migrationQuery } from './migration-queries.ts'

/** On the page of an approval: the trial of its migration on a copy. */
export function CopyOfApproval({ groupId, approvalId }: { groupId: string; approvalId: string }) {
  const { data: found } = useQuery(migrationOfQuery(groupId, approvalId))
  const isOfApproval = found?.approval_id === approvalId
  const { data: migration } = useQuery({ ...migrationQuery(groupId, found?.id ?? ''), enabled: isOfApproval })
  return migration && isOfApproval ? <CopyCard groupId={groupId} migration={migration} /> : null
}
