import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Check, Circle, X } from 'lucide-react'
import type { Workflow } from '#agents/contract'
import { Badge } from '../../../../ui/badge.tsx'
import { Card } from '../../../../ui/page.tsx'

const titles = { migration: 'Migration checklist', validation: 'Validation checklist' } as const

/** Which steps were really done, by the audit log and not by what the agent says. */
export function WorkflowCard({ workflow, isLive }: { workflow: Workflow; isLive: boolean }) {
  const missing = workflow.steps.filter(({ done }) => !done)
  const isComplete = workflow.status === 'complete'
  return (
    <Card
      title={titles[workflow.kind]}
      description="From the statements that ran."
      action={
        (isComplete || !isLive) && (
          <Badge tone={isComplete ? 'success' : 'danger'}>{isComplete ? 'Complete' : 'Incomplete'}</Badge>
        )
      }
    >
      <ul className="space-y-1.5 text-sm">
        {workflow.steps.map((step) => (
          <StepLine key={step.id} step={step} isMissing={!isLive && !step.done} />
        ))}
      </ul>
      {!isLive && !isComplete && missing.length > 0 && (
        <p className="mt-3 text-xs text-danger">
          {`Missing: ${missing.map(({ title }) => title).join(', ')}.`}
        </p>
      )}
    </Card>
  )
}

function StepLine({ step, isMissing }: { step: Workflow['steps'][number]; isMissing: boolean }) {
  const Sign = step.done ? Check : isMissing ? X : Circle
  const [evidence] = step.evidence
  return (
    <li className="flex items-start gap-2">
      <Sign
        aria-label={step.done ? 'Done' : isMissing ? 'Missing' : 'Not yet'}
        className={clsx(
          'mt-0.5 size-4 shrink-0',
          step.done ? 'text-success' : isMissing ? 'text-danger' : 'text-ink-faint',
        )}
      />
      {evidence === undefined ? (
        <span className={step.done ? undefined : 'text-ink-soft'}>{step.title}</span>
      ) : (
        <Link
          to="/sql/audit"
          search={{ open: evidence }}
          className="hover:underline"
          title="Show the statement"
        >
          {step.title}
        </Link>
      )}
    </li>
  )
}
