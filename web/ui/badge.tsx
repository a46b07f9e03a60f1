import type { ReactNode } from 'react'
import { clsx } from 'clsx'

const tones = {
  neutral: 'bg-sunken text-ink-soft ring-line',
  accent: 'bg-accent-soft text-accent ring-accent/15',
  success: 'bg-success-soft text-success ring-success/15',
  danger: 'bg-danger-soft text-danger ring-danger/15',
  info: 'bg-info-soft text-info ring-info/15',
}

export type Tone = keyof typeof tones

export function Badge({
  tone = 'neutral',
  mono,
  children,
}: {
  tone?: Tone
  mono?: boolean
  children: ReactNode
}) {
  return (
    <span
      className={clsx(
        'inline-flex items-center rounded-md px-1.5 py-0.5 text-xs font-medium whitespace-nowrap ring-1 ring-inset',
        mono && 'font-mono',
        tones[tone],
      )}
    >
      {children}
    </span>
  )
}
