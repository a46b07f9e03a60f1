import type { ConfidenceChange } from '#initiatives/contract'
import { MomentText } from '../../../ui/moment-text.tsx'
import { EvidenceList } from './evidence-list.tsx'

/** Every change with who, why and on what ground; newest first. */
export function ConfidenceHistory({ history }: { history: readonly ConfidenceChange[] }) {
  return (
    <details className="group">
      <summary className="w-fit cursor-pointer text-sm text-ink-soft hover:text-ink">
        {history.length === 1 ? '1 change' : `${history.length} changes`}
      </summary>
      <ol className="mt-2 space-y-2.5 border-l border-line pl-4">
        {history.toReversed().map((change, index) => (
          <li key={index} className="text-sm">
            <p className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-medium tabular-nums">
                {change.before === null ? '' : `${change.before}% → `}
                {change.confidence}%
              </span>
              <span className="text-xs text-ink-faint">
                {change.changed_by ?? 'someone'}, <MomentText time={change.created_at} />
                {change.standup_id !== null && ', in a stand-up'}
                {change.proposed !== null &&
                  (change.proposed === change.confidence
                    ? ', as the agent proposed'
                    : `; the agent proposed ${change.proposed}%`)}
              </span>
            </p>
            <p className="[overflow-wrap:anywhere] text-ink-soft">{change.reason}</p>
            <EvidenceList items={change.evidence} />
          </li>
        ))}
      </ol>
    </details>
  )
}
