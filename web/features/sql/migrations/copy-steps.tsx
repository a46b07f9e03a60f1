import type { CopyStep } from '#sql/contract'
import { Badge } from '../../../ui/badge.tsx'
import { durationText } from '../../../ui/quantity.ts'
import { lockWords } from '../approvals/evidence-card.tsx'
import { StatementText } from '../statement-text.tsx'

/** Each statement of a trial with what it did. */
export function CopySteps({ steps }: { steps: readonly CopyStep[] }) {
  return (
    <ol className="space-y-3">
      {steps.map((step, at) => (
        <li key={at}>
          <StatementText sql={step.sql} />
          <Findings step={step} />
        </li>
      ))}
    </ol>
  )
}

function Findings({ step }: { step: CopyStep }) {
  const { duration_ms, estimate_ms, rewritten, scanned, locks, error } = step
  if (error !== null) return <p className="mt-1 text-sm text-danger">{error}</p>
  if (duration_ms === null) return <p className="mt-1 text-sm text-ink-faint">Not reached.</p>
  const read = scanned.filter((name) => !rewritten.includes(name))
  return (
    <p className="mt-1.5 flex flex-wrap items-center gap-1.5 text-xs text-ink-soft">
      <span>
        {durationText(duration_ms)} on the copy
        {estimate_ms !== null && `, about ${durationText(estimate_ms)} on the real tables (estimate)`}
      </span>
      {rewritten.map((name) => (
        <Badge key={name} tone="danger">{`rewrites ${name}`}</Badge>
      ))}
      {read.map((name) => (
        <Badge key={name}>{`reads all of ${name}`}</Badge>
      ))}
      {locks.map(({ relation, mode }) => (
        <Badge
          key={`${relation} ${mode}`}
          tone={mode === 'AccessExclusive' ? 'danger' : 'neutral'}
        >{`${relation}: ${lockWords[mode] ?? mode}`}</Badge>
      ))}
    </p>
  )
}
