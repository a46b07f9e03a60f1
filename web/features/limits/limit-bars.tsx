import { clsx } from 'clsx'
import type { Limit } from '#limits/contract'
import { LimitBar, useText } from './limit-bar.tsx'
import { byUse, resetText, type SubjectType } from './limit-words.ts'

/** The limits of one subject, the fullest first; of the group without an id. */
export const limitsFor = (limits: readonly Limit[], type: SubjectType, id: string | null): Limit[] =>
  limits.filter(({ subject }) => subject.type === type && subject.id === id).toSorted(byUse)

interface LimitBarsProps {
  limits: readonly Limit[]
  /** Whose they are, for screen readers. */
  of: string
  wide?: boolean
}

/** Small bars, for a row of a table or a card. */
export function LimitBars({ limits, of, wide = false }: LimitBarsProps) {
  if (limits.length === 0) return null
  return (
    <ul
      className={clsx(
        'w-full space-y-2.5',
        wide ? 'grid gap-4 space-y-0 sm:grid-cols-2' : 'max-w-56 min-w-40',
      )}
    >
      {limits.map((limit) => (
        <li key={limit.id} className="min-w-0 space-y-1">
          <LimitBar limit={limit} label={`Limit of ${of}`} />
          <p className="text-xs text-ink-faint">
            {[useText(limit), resetText(limit.resets_at, Date.now())].filter(Boolean).join(', ')}
          </p>
        </li>
      ))}
    </ul>
  )
}
