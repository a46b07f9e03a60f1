import type { ReactNode } from 'react'
import { clsx } from 'clsx'

const colours = {
  ok: 'bg-success-strong ring-success-strong/20',
  warning: 'bg-primary ring-primary/25',
  error: 'bg-danger-strong ring-danger-strong/20',
  planned: 'bg-[var(--series-1)] ring-[var(--series-1)]/20',
  off: 'bg-ink-faint ring-ink-faint/15',
}

export type Status = keyof typeof colours

interface StatusDotProps {
  status: Status
  blinking?: boolean
  children: ReactNode
}

/** A coloured dot beside its meaning in words: colour alone says nothing to many readers. */
export function StatusDot({ status, blinking, children }: StatusDotProps) {
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <span
        aria-hidden
        className={clsx('size-2 shrink-0 rounded-full ring-3', colours[status], blinking && 'animate-pulse')}
      />
      {children}
    </span>
  )
}
