import { clsx } from 'clsx'
import type { Limit } from '#limits/contract'
import { limitText, numberText, shares, stateOf, type State } from './limit-words.ts'

const looks: Record<State, { used: string; reserved: string }> = {
  free: { used: 'bg-success-strong', reserved: 'bg-success-strong/40' },
  near: { used: 'bg-primary', reserved: 'bg-primary/45' },
  spent: { used: 'bg-danger-strong', reserved: 'bg-danger-strong/45' },
}

/** What is used, then what is reserved for requests that are still running. */
export function LimitBar({ limit, label }: { limit: Limit; label: string }) {
  const { used, reserved } = shares(limit)
  const look = looks[stateOf(limit)]
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(used + reserved)}
      aria-valuetext={useText(limit)}
      className="flex h-2 overflow-hidden rounded-full bg-hover"
    >
      <div
        className={clsx('h-full transition-[width] duration-500', look.used)}
        style={{ width: `${used.toFixed(2)}%` }}
      />
      <div
        className={clsx('h-full transition-[width] duration-500', look.reserved)}
        style={{ width: `${reserved.toFixed(2)}%` }}
      />
    </div>
  )
}

/** `$3.20 of $10.00 a day, $0.40 reserved` */
export function useText(limit: Limit): string {
  const { metric, used, reserved } = limit
  // Requests that run are what is counted here.
  if (metric === 'concurrent') return `${Number(used) + Number(reserved)} of ${limitText(limit)}`
  const held = Number(reserved) > 0 ? `, ${numberText(metric, reserved)} reserved` : ''
  return `${numberText(metric, used)} of ${limitText(limit)}${held}`
}
