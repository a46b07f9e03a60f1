import { FilterX, X } from 'lucide-react'
import { clsx } from 'clsx'
import { Button } from '../../ui/button.tsx'
import { isUsual, usualPeriod } from './console-address.ts'
import {
  fields,
  flip,
  isExcluded,
  toggleMetadata,
  valueOf,
  withSeverity,
  withoutTerm,
  type ConsoleFilter,
  type Field,
} from './console-filter.ts'
import { typeName } from './event-words.ts'
import { termText as metadataText } from './metadata-terms.ts'
import { periodText, type Period } from '../../ui/period.ts'

interface FilterChipsProps {
  filter: ConsoleFilter
  period: Period
  onChange: (filter: ConsoleFilter) => void
  onPeriod: (period: Period) => void
  onClear: () => void
}

/** What narrows the list, each part with a way to remove it. */
export function FilterChips({ filter, period, onChange, onPeriod, onClear }: FilterChipsProps) {
  const terms = fields.flatMap((field) => (filter[field] ?? []).map((term) => ({ field, term })))
  const hasPeriod = !isUsual(period)
  const metadata = filter.metadata ?? []
  if (terms.length + metadata.length === 0 && filter.severity === undefined && !hasPeriod) return null
  return (
    <div role="group" aria-label="Active filters" className="flex flex-wrap items-center gap-1.5">
      {filter.severity !== undefined && (
        <Chip
          label={`severity: ${filter.severity}${filter.severity === 'critical' ? '' : ' and above'}`}
          onRemove={() => onChange(withSeverity(filter, undefined))}
        />
      )}
      {terms.map(({ field, term }) => (
        <Chip
          key={`${field}:${term}`}
          label={termText(field, term)}
          isExcluded={isExcluded(term)}
          flipTitle={isExcluded(term) ? 'Show only this value' : 'Hide this value'}
          onFlip={() => onChange(flip(filter, field, term))}
          onRemove={() => onChange(withoutTerm(filter, field, term))}
        />
      ))}
      {metadata.map((term) => (
        <Chip
          key={`metadata:${term}`}
          label={metadataText(term)}
          isExcluded={isExcluded(term)}
          flipTitle={isExcluded(term) ? 'Show only this value' : 'Hide this value'}
          onFlip={() => onChange(toggleMetadata(filter, valueOf(term), !isExcluded(term)))}
          onRemove={() => onChange(toggleMetadata(filter, valueOf(term), isExcluded(term)))}
        />
      ))}
      {hasPeriod && <Chip label={periodText(period)} onRemove={() => onPeriod(usualPeriod)} />}
      <Button look="quiet" size="small" icon={FilterX} onClick={onClear}>
        Clear filters
      </Button>
    </div>
  )
}

const termText = (field: Field, term: string): string => {
  const name = field === 'type' ? typeName(valueOf(term)) : valueOf(term)
  return `${isExcluded(term) ? 'not ' : ''}${field}: ${name}`
}

interface ChipProps {
  label: string
  isExcluded?: boolean
  flipTitle?: string
  onFlip?: () => void
  onRemove: () => void
}

function Chip({ label, isExcluded: excluded = false, flipTitle, onFlip, onRemove }: ChipProps) {
  const look = clsx('max-w-64 truncate', excluded && 'line-through decoration-1')
  return (
    <span
      className={clsx(
        'inline-flex h-7 items-center gap-1 rounded-full border pr-1 pl-3 text-sm font-medium',
        excluded
          ? 'border-danger/40 bg-danger-soft text-danger'
          : 'border-primary bg-accent-soft text-accent',
      )}
    >
      {onFlip ? (
        <button type="button" title={flipTitle} onClick={onFlip} className={look}>
          {label}
        </button>
      ) : (
        <span className={look}>{label}</span>
      )}
      <button
        type="button"
        aria-label={`Remove ${label}`}
        title="Remove"
        onClick={onRemove}
        className="grid size-5 place-items-center rounded-full hover:bg-current/10"
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </span>
  )
}
