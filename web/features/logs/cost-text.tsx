import type { UsageLog } from '#usage/contract'
import { exactDollars, shortDollars } from '../../ui/money.ts'
import { about, cameToNothing } from './log-words.ts'

/** Short to read, exact in its title. No price is not free: it is said to be unknown. */
export function CostText({ row }: { row: UsageLog }) {
  if (row.total_cost === null && cameToNothing(row)) return <span className="text-ink-faint">–</span>
  if (row.total_cost === null)
    return (
      <span className="text-accent" title="No price of this model is known">
        no price
      </span>
    )
  return (
    <span className="whitespace-nowrap" title={exactDollars(row.total_cost)}>
      {about(row)}
      {shortDollars(row.total_cost)}
    </span>
  )
}
