import { useState } from 'react'
import { CalendarDays, ChevronsUpDown } from 'lucide-react'
import { Button, buttonClass } from './button.tsx'
import { daysAfter, daysText, today } from './days.ts'
import { Field } from './field.tsx'
import { Input } from './input.tsx'
import { Popover } from './popover.tsx'

export interface DateRange {
  start_date?: string | undefined
  end_date?: string | undefined
}

interface DateRangePickerProps {
  value: DateRange
  onChange: (range: DateRange) => void
  /** The label while no dates are chosen. */
  placeholder: string
  /** Named ranges. */
  presets: readonly { label: string; days: number | null }[]
  className?: string
  /** The time zone of the days, if it is not UTC. */
  zone?: string
}

const nameOf = ({ start_date, end_date }: DateRange): string | undefined => {
  if (start_date !== undefined) return daysText(start_date, end_date ?? today())
  return end_date === undefined ? undefined : `until ${daysText(end_date, end_date)}`
}

/** A range of days, by name or by two dates. */
export function DateRangePicker({
  value,
  onChange,
  placeholder,
  presets,
  className,
  zone = 'UTC',
}: DateRangePickerProps) {
  const [open, setOpen] = useState(false)
  const choose = (range: DateRange) => {
    setOpen(false)
    onChange(range)
  }
  const trigger = (
    <button type="button" className={`${buttonClass()} justify-between border-field ${className ?? ''}`}>
      <CalendarDays aria-hidden className="size-4 text-ink-faint" />
      <span className="flex-1 truncate text-left font-normal">{nameOf(value) ?? placeholder}</span>
      <ChevronsUpDown aria-hidden className="size-4 text-ink-faint" />
    </button>
  )
  return (
    <Popover open={open} onOpenChange={setOpen} trigger={trigger} label="Date range">
      {presets.length > 0 && (
        <div className="flex flex-wrap gap-2 border-b border-line p-3">
          {presets.map(({ label, days }) => (
            <Button key={label} size="small" onClick={() => choose(days === null ? {} : lastDays(days))}>
              {label}
            </Button>
          ))}
        </div>
      )}
      <CustomRange value={value} zone={zone} onChoose={choose} />
    </Popover>
  )
}

const lastDays = (days: number): DateRange => ({
  start_date: daysAfter(today(), 1 - days),
  end_date: today(),
})

interface CustomRangeProps {
  value: DateRange
  zone: string
  onChoose: (range: DateRange) => void
}

function CustomRange({ value, zone, onChoose }: CustomRangeProps) {
  const [first, setFirst] = useState(value.start_date ?? '')
  const [last, setLast] = useState(value.end_date ?? '')
  const isWrong = first !== '' && last !== '' && first > last
  return (
    <form
      className="space-y-3 p-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isWrong) onChoose({ start_date: first || undefined, end_date: last || undefined })
      }}
    >
      <div className="grid grid-cols-2 gap-3">
        <Field label="From">
          {(ids) => (
            <Input
              {...ids}
              type="date"
              max={today()}
              value={first}
              onChange={(event) => setFirst(event.target.value)}
            />
          )}
        </Field>
        <Field label="To" error={isWrong ? 'Must not be before the start date.' : undefined}>
          {(ids) => (
            <Input
              {...ids}
              type="date"
              max={today()}
              value={last}
              onChange={(event) => setLast(event.target.value)}
            />
          )}
        </Field>
      </div>
      <div className="flex items-center justify-between gap-3">
        <p className="text-xs text-ink-faint">Both dates are included. Days are in {zone}.</p>
        <Button type="submit" look="primary" size="small">
          Apply
        </Button>
      </div>
    </form>
  )
}
