import type { FormEvent, ReactNode } from 'react'
import { Button } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'

interface InPlaceFormProps {
  label: string
  action: string
  busy: boolean
  error: unknown
  onSubmit: () => void
  onCancel: () => void
  children: ReactNode
}

/** A form where its result will be. It stays, with what was typed, until the server has accepted it. */
export function InPlaceForm(props: InPlaceFormProps) {
  const { label, action, busy, error, onSubmit, onCancel, children } = props
  return (
    <form
      aria-label={label}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        onSubmit()
      }}
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
      className="space-y-4 rounded-lg border border-line-strong bg-sunken p-4"
    >
      {children}
      {error !== null && <FailureNotice error={error} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" size="small" busy={busy}>
          {action}
        </Button>
        <Button size="small" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
