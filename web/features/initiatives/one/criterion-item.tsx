import { useState } from 'react'
import { clsx } from 'clsx'
import { SlidersHorizontal } from 'lucide-react'
import type { Criterion } from '#initiatives/contract'
import { Button } from '../../../ui/button.tsx'
import { relativeTime } from '../../../ui/moment.ts'
import { ConfidenceBar } from '../confidence-bars.tsx'
import { agentEstimate, confirmedAt, isStale } from '../initiative-words.ts'
import { ConfidenceForm } from './confidence-form.tsx'
import { ConfidenceHistory } from './confidence-history.tsx'
import { ConfidenceLine } from './confidence-line.tsx'
import { DetailMenu } from './detail-menu.tsx'
import type { Place } from './place.ts'
import { call } from '../../../api/client.ts'
import { RemoveDialog } from './remove-dialog.tsx'
import { TextForm } from './text-form.tsx'

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
        <RemoveDialog
          place={place}
          remove={(path) => call('DELETE', '/api/initiatives/{id}/criteria/{detail}', { path })}
          detail={criterion.id}
          noun="criterion"
          onClose={close}
        >
          <p>Its confidence and the history of it are deleted too.</p>
        </RemoveDialog>
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
