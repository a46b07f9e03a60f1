import { clsx } from 'clsx'

/** The logo is a railway semaphore signal; its arm is level and red on error pages. */
export function Logo({ stop, className }: { stop?: boolean; className?: string }) {
  const colour = stop ? 'var(--danger-strong)' : 'var(--primary)'
  return (
    <svg viewBox="0 0 24 24" fill="none" aria-hidden className={clsx('shrink-0', className)}>
      <path d="M7.5 3.5v17M4.5 20.5h6" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      <path
        d={stop ? 'M7.5 9h13' : 'M7.5 9 19.4 3.9'}
        stroke={colour}
        strokeWidth="4.2"
        strokeLinecap="round"
      />
      <circle cx="7.5" cy="9" r="2.7" fill="var(--canvas)" stroke={colour} strokeWidth="1.8" />
    </svg>
  )
}

export function Wordmark() {
  return (
    <span className="inline-flex items-center gap-2 text-[0.9375rem] font-semibold tracking-tight">
      <Logo className="size-6" />
      Signalbox
    </span>
  )
}
