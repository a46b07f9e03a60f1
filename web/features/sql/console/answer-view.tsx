import { Link } from '@tanstack/react-router'
import type { Executed } from '#sql/contract'
import { Card } from '../../../ui/page.tsx'
import { EvidenceCard } from '../approvals/evidence-card.tsx'
import { PlanCard } from './plan/plan-card.tsx'
import { PlanTree } from './plan/plan-tree.tsx'
import { ResultGrid } from './result/result-grid.tsx'
import type { Answer, Asked } from './use-statement.ts'

interface AnswerViewProps {
  answer: Answer
  asked: Asked
  /** Where a plan can be measured, and by whose policy. */
  groupId: string
  database: string
  agentId: string
  onMeasure: () => void
}

export function AnswerView({ answer, asked, ...place }: AnswerViewProps) {
  if (answer.status === 'executed') {
    const plan = planIn(answer)
    return plan === undefined ? (
      <ResultGrid result={answer} />
    ) : (
      <PlanCard {...place} sql={asked.sql} plan={plan} isMeasured={asked.way === 'measure'} />
    )
  }
  if (answer.status === 'dry_run')
    return asked.way === 'plan' ? (
      <PlanCard {...place} sql={asked.sql} plan={answer.plan} isMeasured={false} />
    ) : (
      <Card title="Dry run" description="Tried in a transaction that was rolled back. Nothing was kept.">
        <EvidenceCard evidence={answer.preview} />
        <h3 className="mt-5 mb-2 text-sm font-semibold">Plan</h3>
        <PlanTree plan={answer.plan} />
      </Card>
    )
  return (
    <Card
      title="Waits for approval"
      description="An admin or owner decides. The approval counts for exactly this text."
      action={
        <Link
          className="text-sm font-medium text-accent hover:underline"
          to="/sql/approvals/$id"
          params={{ id: answer.approval_id }}
        >
          Open the approval
        </Link>
      }
    >
      <EvidenceCard evidence={answer.preview} />
    </Card>
  )
}

/** The plan that an EXPLAIN in JSON has returned; undefined for every other result. */
function planIn({ columns, rows }: Executed): unknown {
  if (columns.length !== 1 || columns[0]?.name !== 'QUERY PLAN') return undefined
  const plan = (rows[0] as Record<string, unknown> | undefined)?.['QUERY PLAN']
  return typeof plan === 'object' && plan !== null ? plan : undefined
}
