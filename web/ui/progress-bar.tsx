import { clsx } from 'clsx'

interface ProgressBarProps {
  /** What is in progress, for screen readers. */
  label: string
  /** From 0 to 100. */
  percent: number
  className?: string
}

export function ProgressBar({ label, percent, className }: ProgressBarProps) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(percent)}
      className={clsx('h-1.5 overflow-hidden rounded-full bg-hover', className)}
    >
      <div
        className={clsx(
          'h-full rounded-full transition-[width] duration-500',
          percent < 100 ? 'bg-primary' : 'bg-success-strong',
        )}
        style={{ width: `${percent.toFixed(1)}%` }}
      />
    </div>
  )
}
