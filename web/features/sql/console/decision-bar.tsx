import type { PolicyExplanation } from '#sql/contract'
import { Badge } from '../../../ui/badge.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'
import { decisionNames, decisionTones } from '../sql-words.ts'

interface DecisionBarProps {
  explanation: PolicyExplanation | undefined
  error: unknown
}

/** What the policy says about the text before anything runs. */
export function DecisionBar({ explanation, error }: DecisionBarProps) {
  if (error) return <FailureNotice error={error} />
  if (!explanation)
    return <p className="text-sm text-ink-faint">What the policy says about the statement appears here.</p>
  const { decision, operations, functions, rule, message, needed, masked, grant_id } = explanation
  return (
    <div role="status" className="space-y-1.5 text-sm">
      <p className="flex flex-wrap items-center gap-1.5">
        <Badge tone={decisionTones[decision]}>{decisionNames[decision]}</Badge>
        {operations.map((operation) => (
          <Badge key={operation} mono>
            {operation}
          </Badge>
        ))}
        {functions.map((name) => (
          <Badge key={name} mono>{`${name}()`}</Badge>
        ))}
      </p>
      {(masked.length > 0 || grant_id !== null) && (
        <p className="flex flex-wrap items-center gap-1.5 text-xs text-ink-faint">
          {masked.length > 0 && 'Masked'}
          {masked.map((column) => (
            <Badge key={column} tone="info" mono>
              {column}
            </Badge>
          ))}
          {grant_id !== null && <Badge tone="accent">By a grant</Badge>}
        </p>
      )}
      <p className="text-ink-soft">
        {message} {decision !== 'execute' && needed}{' '}
        <span className="text-xs whitespace-nowrap text-ink-faint">
          Rule {rule}, policy of {explanation.agent_id}, version {explanation.policy_version}
        </span>
      </p>
    </div>
  )
}
