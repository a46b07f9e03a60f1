import { X } from 'lucide-react'
import { exactTime } from '../../ui/moment.ts'

interface PeriodChipProps {
  /** What happened in the period, such as `ended`. */
  what?: string
  since: string | undefined
  until: string | undefined
  onClear: () => void
}

/** The period that a link of the analytics page has set. */
export function PeriodChip({ what, since, until, onClear }: PeriodChipProps) {
  if (since === undefined && until === undefined) return null
  const [start, end] = [since, until].map((time) =>
    time === undefined || Number.isNaN(Date.parse(time)) ? undefined : exactTime(time),
  )
  const text = [what, start !== undefined && `from ${start}`, end !== undefined && `until ${end}`]
    .filter(Boolean)
    .join(' ')
  return <RemovableChip text={text} label={`Remove period ${text}`} onRemove={onClear} />
}

interface RemovableChipProps {
  text: string
  label?: string
  onRemove: () => void
}

/** A filter that a link has set and that no field of the page shows. */
export function RemovableChip({ text, label, onRemove }: RemovableChipProps) {
  return (
    <button
      type="button"
      onClick={onRemove}
      aria-label={label ?? `Remove ${text}`}
      className="col-span-2 inline-flex min-h-9 items-center gap-1.5 rounded-lg border border-line bg-sunken px-2.5 py-1 text-left text-xs text-ink-soft hover:text-ink"
    >
      {text} <X aria-hidden className="size-3.5 shrink-0" />
    </button>
  )
}
