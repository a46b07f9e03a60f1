import { useState, type ReactNode } from 'react'
import { Check } from 'lucide-react'
import { Button } from './button.tsx'
import { Input } from './input.tsx'
import { Popover } from './popover.tsx'
import { countText, shortCount } from './quantity.ts'

export interface CheckOption {
  value: string
  label: string
  /** How many there are of it. */
  count?: number
}

interface CheckMenuProps {
  label: string
  trigger: ReactNode
  options: readonly CheckOption[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  /** What the button that chooses the initial state says. */
  reset?: { label: string; chosen: readonly string[] }
}

/** With at least this many options there is a field to find one. */
const manyOptions = 8

/** Options of which any number can be chosen. It stays open, so that several can be. */
export function CheckMenu({ label, trigger, options, chosen, onChange, reset }: CheckMenuProps) {
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  const shown = options.filter((option) => option.label.toLowerCase().includes(text.trim().toLowerCase()))
  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value])
  return (
    <Popover open={open} onOpenChange={setOpen} trigger={trigger} label={label}>
      {options.length > manyOptions && (
        <div className="border-b border-line p-2">
          <Input
            aria-label={`Find in ${label.toLowerCase()}`}
            placeholder="Find"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
      )}
      <ul className="max-h-72 overflow-y-auto p-1">
        {shown.map((option) => (
          <li key={option.value}>
            <Choice
              option={option}
              isChosen={chosen.includes(option.value)}
              onToggle={() => toggle(option.value)}
            />
          </li>
        ))}
        {shown.length === 0 && <li className="px-3 py-2 text-sm text-ink-faint">Nothing found</li>}
      </ul>
      {reset && (
        <div className="border-t border-line p-2">
          <Button look="quiet" size="small" onClick={() => onChange([...reset.chosen])}>
            {reset.label}
          </Button>
        </div>
      )}
    </Popover>
  )
}

interface ChoiceProps {
  option: CheckOption
  isChosen: boolean
  onToggle: () => void
}

function Choice({ option: { label, count }, isChosen, onToggle }: ChoiceProps) {
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={isChosen}
      onClick={onToggle}
      className="flex min-h-8 w-full min-w-0 items-center gap-2 rounded-lg px-2.5 py-1 text-left text-sm hover:bg-hover"
    >
      <span className="grid size-4 shrink-0 place-items-center rounded-sm border border-field">
        {isChosen && <Check aria-hidden className="size-3.5 text-accent" />}
      </span>
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{label}</span>
      {count !== undefined && (
        <span className="text-xs text-ink-faint" title={countText(count)}>
          {shortCount(count)}
        </span>
      )}
    </button>
  )
}
