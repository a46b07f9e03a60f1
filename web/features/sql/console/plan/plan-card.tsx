import { useQuery } from '@tanstack/react-query'
import { Timer } from 'lucide-react'
import { Button } from '../../../../ui/button.tsx'
import { Card } from '../../../../ui/page.tsx'
import { explanationQuery } from '../../sql-queries.ts'
import { measuring } from '../use-statement.ts'
import { PlanTree } from './plan-tree.tsx'

interface PlanCardProps {
  groupId: string
  database: string
  agentId: string
  sql: string
  plan: unknown
  /** The statement was run. */
  isMeasured: boolean
  onMeasure: () => void
}

/** A plan, with a button that runs the statement and measures it where the policy lets it. */
export function PlanCard({ plan, isMeasured, onMeasure, ...question }: PlanCardProps) {
  const { groupId, database, agentId, sql } = question
  const { data: judged } = useQuery(
    explanationQuery(groupId, { database, sql: measuring + sql, agent_id: agentId }),
  )
  return (
    <Card
      title="Plan"
      description={
        isMeasured
          ? 'The statement was run. Bars are each step’s own part of the time.'
          : 'Nothing was run. Bars are each step’s own part of the estimated cost.'
      }
      action={
        !isMeasured &&
        judged?.decision === 'execute' && (
          <Button size="small" icon={Timer} onClick={onMeasure}>
            Run and measure
          </Button>
        )
      }
    >
      <PlanTree plan={plan} />
      {!isMeasured && judged !== undefined && judged.decision !== 'execute' && (
        <p className="mt-3 text-xs text-ink-faint">
          {`It cannot be measured here: ${judged.message} ${judged.needed}`}
        </p>
      )}
    </Card>
  )
}
