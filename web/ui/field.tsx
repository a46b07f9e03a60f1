import { useId, type ReactNode } from 'react'

interface FieldIds {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: true
}

interface FieldProps {
  label: string
  hint?: ReactNode
  error?: string | undefined
  /** Renders the control with the ids that connect it to its label, hint and error. */
  children: (ids: FieldIds) => ReactNode
}

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  const text = error ?? hint
  const ids: FieldIds = { id }
  if (text !== undefined) ids['aria-describedby'] = `${id}-text`
  if (error !== undefined) ids['aria-invalid'] = true
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      {children(ids)}
      {text !== undefined && (
        <p
          id={`${id}-text`}
          className={error === undefined ? 'mt-1.5 text-xs text-ink-faint' : 'mt-1.5 text-xs text-danger'}
        >
          {text}
        </p>
      )}
    </div>
  )
}
