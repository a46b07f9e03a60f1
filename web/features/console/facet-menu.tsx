import { useState } from 'react'
import { clsx } from 'clsx'
import { Check, ChevronDown, CircleSlash } from 'lucide-react'
import { buttonClass, IconButton } from '../../ui/button.tsx'
import { Input } from '../../ui/input.tsx'
import { Popover } from '../../ui/popover.tsx'
import { countText, shortCount } from '../../ui/quantity.ts'

export interface FacetValue {
  value: string
  label: string
  count: number
}

interface FacetMenuProps {
  label: string
  values: readonly FacetValue[]
  /** The chosen values; one that begins with `!` is excluded. */
  terms: readonly string[]
  onInclude: (value: string) => void
  onExclude: (value: string) => void
}

/** The values of a field with their counts: each can be shown alone or hidden. */
export function FacetMenu({ label, values, terms, onInclude, onExclude }: FacetMenuProps) {
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  const shown = values.filter((each) => each.label.toLowerCase().includes(text.toLowerCase()))
  const trigger = (
    <button
      type="button"
      className={clsx(buttonClass(), 'gap-1.5! px-3!', terms.length > 0 && 'border-primary! text-accent!')}
    >
      {label}
      {terms.length > 0 && <span className="text-xs">{terms.length}</span>}
      <ChevronDown aria-hidden className="size-3.5 text-ink-faint" />
    </button>
  )
  return (
    <Popover open={open} onOpenChange={setOpen} trigger={trigger} label={`${label} filter`}>
      {values.length > 8 && (
        <div className="border-b border-line p-2">
          <Input
            aria-label={`Find a ${label.toLowerCase()}`}
            placeholder={`Find a ${label.toLowerCase()}`}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
      )}
      <ul className="max-h-72 overflow-y-auto p-1">
        {shown.map((each) => (
          <FacetRow
            key={each.value}
            facet={each}
            isIncluded={terms.includes(each.value)}
            isExcluded={terms.includes(`!${each.value}`)}
            onInclude={() => onInclude(each.value)}
            onExclude={() => onExclude(each.value)}
          />
        ))}
        {shown.length === 0 && <li className="px-3 py-2 text-sm text-ink-faint">No values in this period</li>}
      </ul>
    </Popover>
  )
}

interface FacetRowProps {
  facet: FacetValue
  isIncluded: boolean
  isExcluded: boolean
  onInclude: () => void
  onExclude: () => void
}

function FacetRow({ facet, isIncluded, isExcluded, onInclude, onExclude }: FacetRowProps) {
  return (
    <li className="flex items-center gap-1">
      <button
        type="button"
        aria-pressed={isIncluded}
        onClick={onInclude}
        className="flex h-8 min-w-0 flex-1 items-center gap-2 rounded-lg px-2.5 text-left text-sm hover:bg-hover"
      >
        <span className="grid size-4 shrink-0 place-items-center rounded-sm border border-field">
          {isIncluded && <Check aria-hidden className="size-3.5 text-accent" />}
        </span>
        <span className={clsx('min-w-0 flex-1 truncate', isExcluded && 'text-ink-faint line-through')}>
          {facet.label}
        </span>
        <span className="text-xs text-ink-faint" title={countText(facet.count)}>
          {shortCount(facet.count)}
        </span>
      </button>
      <IconButton
        label={isExcluded ? `Show ${facet.label} again` : `Hide ${facet.label}`}
        icon={CircleSlash}
        aria-pressed={isExcluded}
        onClick={onExclude}
        className={clsx(isExcluded && 'text-danger!')}
      />
    </li>
  )
}
