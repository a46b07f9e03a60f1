import type { UsageLog } from '#usage/contract'
import { exactDollars, shortDollars } from '../../ui/money.ts'
import { about, cameToNothing } from './log-words.ts'

/** Rounded, with the exact value in the title. A model without a price is not free: its cost is unknown. */
export function CostText({ row }: { row: UsageLog }) {
  if (row.total_cost === null && cameToNothing(row)) return <span className="text-ink-faint">–</span>
  if (row.total_cost === null)
    return (
      <span className="text-accent" title="This model has no price">
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
