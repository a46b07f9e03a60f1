import { X } from 'lucide-react'
import { exactTime } from '../../ui/moment.ts'

interface PeriodChipProps {
  since: string | undefined
  until: string | undefined
  onClear: () => void
}

/** The period that a link of the analytics page has set. */
export function PeriodChip({ since, until, onClear }: PeriodChipProps) {
  if (since === undefined && until === undefined) return null
  const [start, end] = [since, until].map((time) =>
    time === undefined || Number.isNaN(Date.parse(time)) ? undefined : exactTime(time),
  )
  const text = [start !== undefined && `from ${start}`, end !== undefined && `until ${end}`]
    .filter(Boolean)
    .join(' ')
  return (
    <button
      type="button"
      onClick={onClear}
      aria-label={`Remove period ${text}`}
      className="col-span-2 inline-flex h-9 items-center gap-1.5 rounded-lg border border-line bg-sunken px-2.5 text-xs text-ink-soft hover:text-ink"
    >
      {text} <X aria-hidden className="size-3.5" />
    </button>
  )
}
