import { clsx } from 'clsx'

interface SegmentedProps<Choice extends string> {
  label: string
  choices: readonly { id: Choice; label: string; count?: number; hint?: string }[]
  value: Choice
  onChange: (choice: Choice) => void
}

/** A few choices side by side, one of them selected. */
export function Segmented<Choice extends string>({
  label,
  choices,
  value,
  onChange,
}: SegmentedProps<Choice>) {
  return (
    <div
      role="group"
      aria-label={label}
      className="inline-flex max-w-full gap-0.5 overflow-x-auto rounded-lg border border-line bg-sunken p-0.5"
    >
      {choices.map((choice) => (
        <button
          key={choice.id}
          type="button"
          aria-pressed={choice.id === value}
          title={choice.hint}
          onClick={() => onChange(choice.id)}
          className={clsx(
            'flex h-7.5 items-center gap-1.5 rounded-md px-2.5 text-sm font-medium whitespace-nowrap transition-colors',
            choice.id === value
              ? 'bg-surface text-ink shadow-low ring-1 ring-line'
              : 'text-ink-faint hover:text-ink',
          )}
        >
          {choice.label}
          {choice.count !== undefined && <span className="text-xs text-ink-faint">{choice.count}</span>}
        </button>
      ))}
    </div>
  )
}
