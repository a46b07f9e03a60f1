import { useState } from 'react'
import { clsx } from 'clsx'
import { SlidersHorizontal } from 'lucide-react'
import type { Criterion, ConfidenceChange } from '#initiatives/contract'
import { Button } from '../../../ui/button.tsx'
import { relativeTime } from '../../../ui/moment.ts'
import { call } from '../../../api/client.ts'
import { MomentText } from '../../../ui/moment-text.tsx'
import { ConfidenceBar } from '../confidence-bars.tsx'
import { agentEstimate, confirmedAt, isStale } from '../initiative-words.ts'
import { ConfidenceForm } from './confidence-form.tsx'
import { ConfidenceLine } from './confidence-line.tsx'
import { DetailMenu } from './detail-menu.tsx'
import type { Place } from './place.ts'
import { initiativesKey } from '../initiative-queries.ts'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { TextForm } from './text-form.tsx'
import { EvidenceList } from './evidence-list.tsx'

interface CriterionItemProps {
  place: Place
  criterion: Criterion
}

export function CriterionItem({ place, criterion }: CriterionItemProps) {
  const [open, setOpen] = useState<'confidence' | 'text' | 'remove' | undefined>()
  const close = () => setOpen(undefined)
  const stale = isStale(criterion, Date.now())
  return (
    <li className="space-y-3 py-4 first:pt-0 last:pb-0">
      {open === 'text' ? (
        <TextForm
          place={place}
          label="Edit criterion"
          save={(path, text) =>
            call('PATCH', '/api/initiatives/{id}/criteria/{detail}', { path, body: { text } })
          }
          detail={criterion.id}
          text={criterion.text}
          maxLength={1000}
          onClose={close}
        />
      ) : (
        <div className="flex items-start justify-between gap-3">
          <h3 className={clsx('text-sm font-medium [overflow-wrap:anywhere]', stale && 'text-ink-soft')}>
            {criterion.text}
          </h3>
          {place.mayChange && (
            <DetailMenu
              noun="criterion"
              name={criterion.text}
              onEdit={() => setOpen('text')}
              onRemove={() => setOpen('remove')}
            />
          )}
        </div>
      )}
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <ConfidenceBar
          confidence={criterion.confidence}
          estimate={agentEstimate(criterion)}
          isStale={stale}
        />
        <Estimate criterion={criterion} />
        {place.mayChange && open !== 'confidence' && (
          <Button size="small" icon={SlidersHorizontal} onClick={() => setOpen('confidence')}>
            {criterion.confidence === null ? 'Estimate' : 'Change'}
          </Button>
        )}
      </div>
      {stale && (
        <p className="text-xs text-ink-faint">
          {`Stale: last confirmed ${relativeTime(confirmedAt(criterion), Date.now())}.`}
        </p>
      )}
      {open === 'confidence' && <ConfidenceForm place={place} criterion={criterion} onClose={close} />}
      {criterion.history.length > 0 && (
        <>
          {criterion.history.length > 1 && <ConfidenceLine criterion={criterion} isStale={stale} />}
          <ConfidenceHistory history={criterion.history} />
        </>
      )}
      {open === 'remove' && (
        <DeleteDialog
          queryKey={initiativesKey(place.groupId)}
          verb="Remove"
          remove={() =>
            call('DELETE', '/api/initiatives/{id}/criteria/{detail}', {
              path: { id: place.initiative.id, detail: criterion.id },
            })
          }
          noun="criterion"
          onClose={close}
        >
          <p>Its confidence and the history of it are deleted too.</p>
        </DeleteDialog>
      )}
    </li>
  )
}

/** What the agent thinks, where that differs from what the people think. */
function Estimate({ criterion }: { criterion: Criterion }) {
  const estimate = agentEstimate(criterion)
  if (estimate === undefined) return null
  const difference = estimate - (criterion.confidence ?? estimate)
  return (
    <span className="text-sm text-ink-soft">
      {`Agent: ${estimate}%`}
      {difference !== 0 && (
        <span className="text-ink-faint">{` (${difference > 0 ? '+' : '−'}${Math.abs(difference)})`}</span>
      )}
    </span>
  )
}

/** Every change with who, why and on what ground; newest first. */
function ConfidenceHistory({ history }: { history: readonly ConfidenceChange[] }) {
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
