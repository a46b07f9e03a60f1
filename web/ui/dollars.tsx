import { exactDollars, shortDollars } from './money.ts'

/** An amount as lists show it, with every digit in its title. */
export function Dollars({ amount, className }: { amount: string; className?: string }) {
  return (
    <span title={exactDollars(amount)} className={className}>
      {shortDollars(amount)}
    </span>
  )
}
