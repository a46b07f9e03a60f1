import { clsx } from 'clsx'

export const letterOf = (index: number): string => 'ABCDE'[index] ?? ''

export function Letter({ index, className }: { index: number; className?: string }) {
  return (
    <span
      aria-hidden
      className={clsx(
        'grid size-6 shrink-0 place-items-center rounded-full border-2 border-primary bg-surface text-xs font-semibold',
        className,
      )}
    >
      {letterOf(index)}
    </span>
  )
}
