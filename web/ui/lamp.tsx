import type { ReactNode } from 'react'
import { clsx } from 'clsx'

const aspects = {
  clear: 'bg-clear-lamp ring-clear-lamp/20',
  caution: 'bg-lamp ring-lamp/25',
  danger: 'bg-danger-lamp ring-danger-lamp/20',
  dark: 'bg-ink-faint ring-ink-faint/15',
}

export type Aspect = keyof typeof aspects

/** A signal lamp beside its meaning: the colour never stands alone. */
export function Lamp({
  aspect,
  blinking,
  children,
}: {
  aspect: Aspect
  blinking?: boolean
  children: ReactNode
}) {
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <span
        aria-hidden
        className={clsx('size-2 shrink-0 rounded-full ring-3', aspects[aspect], blinking && 'animate-pulse')}
      />
      {children}
    </span>
  )
}
