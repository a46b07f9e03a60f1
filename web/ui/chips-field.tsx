import { useState, type KeyboardEvent, type ReactNode } from 'react'
import { X } from 'lucide-react'
import { Field } from './field.tsx'
import { Input } from './input.tsx'

interface ChipsFieldProps {
  label: string
  hint: ReactNode
  error?: string | undefined
  placeholder: string
  value: readonly string[]
  onChange: (value: string[]) => void
  /** Offered while typing. */
  suggestions?: readonly string[]
}

/** Several texts: each becomes a chip at Enter, a comma or a space, and when the field is left. */
export function ChipsField({
  label,
  hint,
  error,
  placeholder,
  value,
  onChange,
  suggestions = [],
}: ChipsFieldProps) {
  const [text, setText] = useState('')
  const add = () => {
    const entries = text.split(/[\s,]+/).filter(Boolean)
    setText('')
    if (entries.length > 0) onChange([...new Set([...value, ...entries])])
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isEnd = event.key === 'Enter' || event.key === ',' || event.key === ' '
    if (isEnd && text.trim() !== '') {
      event.preventDefault()
      add()
    }
    if (event.key === 'Backspace' && text === '' && value.length > 0) onChange(value.slice(0, -1))
  }
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <div className="space-y-2">
          {value.length > 0 && (
            <ul aria-label={label} className="flex flex-wrap gap-1.5">
              {value.map((entry) => (
                <Chip
                  key={entry}
                  text={entry}
                  onRemove={() => onChange(value.filter((each) => each !== entry))}
                />
              ))}
            </ul>
          )}
          <Input
            {...ids}
            className="font-mono"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={placeholder}
            value={text}
            {...(suggestions.length > 0 && { list: `${ids.id}-list` })}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={onKeyDown}
            onBlur={add}
          />
          {suggestions.length > 0 && (
            <datalist id={`${ids.id}-list`}>
              {suggestions.map((each) => (
                <option key={each} value={each} />
              ))}
            </datalist>
          )}
        </div>
      )}
    </Field>
  )
}

function Chip({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <li className="inline-flex max-w-full items-center gap-1 rounded-md bg-sunken py-0.5 pr-0.5 pl-2 ring-1 ring-line ring-inset">
      <span className="min-w-0 font-mono text-xs [overflow-wrap:anywhere]">{text}</span>
      <button
        type="button"
        aria-label={`Remove ${text}`}
        onClick={onRemove}
        className="inline-flex size-6 shrink-0 items-center justify-center rounded text-ink-faint hover:bg-hover hover:text-ink"
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </li>
  )
}
