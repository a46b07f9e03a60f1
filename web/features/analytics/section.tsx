import type { ReactNode } from 'react'
import { FailureNotice } from '../../ui/notice.tsx'

interface SectionProps {
  title: string
  description: string
  error: unknown
  onRetry: () => unknown
  children: ReactNode
}

/** One group of metrics. */
export function Section({ title, description, error, onRetry, children }: SectionProps) {
  return (
    <section aria-label={title} className="space-y-4">
      <div>
        <h2 className="text-lg font-semibold tracking-tight">{title}</h2>
        <p className="text-sm text-ink-soft">{description}</p>
      </div>
      {error !== null && <FailureNotice error={error} onRetry={onRetry} />}
      {children}
    </section>
  )
}
