import { ShieldCheck } from 'lucide-react'
import type { Find } from '../../shell/feature.ts'
import { approvalsQuery } from './sql-queries.ts'

/** Statements that wait for approval. */
export const findApprovals: Find = async (text, { groupId, queryClient }) => {
  const approvals = await queryClient.fetchQuery(approvalsQuery(groupId, 'pending'))
  return approvals
    .filter(({ sql, database }) => `${sql} ${database}`.toLowerCase().includes(text.toLowerCase()))
    .map(({ id, sql, database }) => ({
      ...{ id, label: sql, kind: database, icon: ShieldCheck },
      go: { to: `/sql/approvals/${id}` },
    }))
}
