import { useState } from 'react'
import { clsx } from 'clsx'
import { Clock } from 'lucide-react'
import { Button, buttonClass } from './button.tsx'
import { Field } from './field.tsx'
import { Input } from './input.tsx'
import { timeZone } from './moment.ts'
import { Popover } from './popover.tsx'
import { inputTime, isoTime } from './input-time.ts'
import { periodText, ranges, type Period } from './period.ts'

interface PeriodMenuProps {
  period: Period
  /** What is shown while nothing else is chosen; all time unless told otherwise. */
  usual?: Period
  onChange: (period: Period) => void
}

/** A range that ends now, or two points in time. */
export function PeriodMenu({ period, usual = {}, onChange }: PeriodMenuProps) {
  const [open, setOpen] = useState(false)
  const choose = (chosen: Period) => {
    setOpen(false)
    onChange(chosen)
  }
  const isChosen = periodText(period) !== periodText(usual)
  const trigger = (
    <button type="button" className={clsx(buttonClass(), isChosen && 'border-primary! text-accent!')}>
      <Clock aria-hidden className="size-4 text-ink-faint" />
      <span className="max-w-48 truncate">{periodText(period)}</span>
    </button>
  )
  return (
    <Popover open={open} onOpenChange={setOpen} trigger={trigger} label="Time range">
      <div className="flex flex-wrap gap-2 border-b border-line p-3">
        {ranges.map(({ id, label }) => (
          <Button
            key={id}
            size="small"
            aria-pressed={period.range === id}
            onClick={() => choose({ range: id })}
          >
            {label}
          </Button>
        ))}
        <Button size="small" aria-pressed={Object.keys(period).length === 0} onClick={() => choose({})}>
          All time
        </Button>
      </div>
      <CustomPeriod period={period} onChoose={choose} />
    </Popover>
  )
}

function CustomPeriod({ period, onChoose }: { period: Period; onChoose: (period: Period) => void }) {
  const [from, setFrom] = useState(inputTime(period.since))
  const [to, setTo] = useState(inputTime(period.until))
  const isWrong = from !== '' && to !== '' && from >= to
  return (
    <form
      className="space-y-3 p-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (isWrong) return
        const [since, until] = [isoTime(from), isoTime(to)]
        onChoose({ ...(since !== undefined && { since }), ...(until !== undefined && { until }) })
      }}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="From">
          {(ids) => (
            <Input
              {...ids}
              type="datetime-local"
              value={from}
              onChange={(event) => setFrom(event.target.value)}
            />
          )}
        </Field>
        <Field label="To" error={isWrong ? 'Must be after the start.' : undefined}>
          {(ids) => (
            <Input
              {...ids}
              type="datetime-local"
              value={to}
              onChange={(event) => setTo(event.target.value)}
            />
          )}
        </Field>
      </div>
      <div className="flex items-center justify-between gap-3">
        <p className="text-xs text-ink-faint">{`Times are in ${timeZone()}.`}</p>
        <Button type="submit" look="primary" size="small">
          Apply
        </Button>
      </div>
    </form>
  )
}
