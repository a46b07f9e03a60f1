import { ChevronRight } from 'lucide-react'
import { Field } from '../../../../ui/field.tsx'
import { Input } from '../../../../ui/input.tsx'
import { limitRows, type LimitDraft, type limitsOf } from './limits.ts'

interface LimitFieldsProps {
  draft: LimitDraft
  faults: ReturnType<typeof limitsOf>['faults']
  onChange: (draft: LimitDraft) => void
}

/** Folded away: the limits of the server are right for most requests. */
export function LimitFields({ draft, faults, onChange }: LimitFieldsProps) {
  return (
    <details className="group/limits">
      <summary className="flex w-fit list-none items-center gap-1 rounded-md text-sm text-ink-soft select-none hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-3.5 text-ink-faint transition-transform group-open/limits:rotate-90"
        />
        Limits
      </summary>
      <div className="mt-3 grid grid-cols-2 gap-3 sm:grid-cols-4">
        {limitRows.map(({ name, label, unit }) => (
          <Field key={name} label={label} hint={unit} error={faults[name]}>
            {(ids) => (
              <Input
                {...ids}
                inputMode={name === 'max_cost' ? 'decimal' : 'numeric'}
                placeholder="Server’s limit"
                value={draft[name]}
                onChange={(event) => onChange({ ...draft, [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
      </div>
    </details>
  )
}
