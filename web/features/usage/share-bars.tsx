import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import type { UsageFilter, UsageSums } from '#usage/contract'
import { Dollars } from '../../ui/dollars.tsx'
import { Card } from '../../ui/page.tsx'
import { counted, percentText, shortCount } from '../../ui/quantity.ts'
import { Skeleton } from '../../ui/skeleton.tsx'

export interface Share {
  name: string
  /** Selects its requests in the logs. */
  filter: UsageFilter
  sums: UsageSums
  note?: string
}

interface ShareBarsProps {
  title: string
  description: string
  shares: Share[] | undefined
  empty: ReactNode
}

const costOf = ({ sums }: Share) => Number(sums.total_cost ?? 0)
const shown = 10

/** Spend by model, provider or key, largest first; each bar links to its requests. */
export function ShareBars({ title, description, shares, empty }: ShareBarsProps) {
  const sorted = shares?.toSorted(
    (one, other) => costOf(other) - costOf(one) || other.sums.requests - one.sums.requests,
  )
  const total = sorted?.reduce((sum, share) => sum + costOf(share), 0) ?? 0
  const largest = Math.max(...(sorted?.map(costOf) ?? []), 0)
  return (
    <Card title={title} description={description}>
      {sorted === undefined && <Skeleton className="h-40" />}
      {sorted?.length === 0 && <p className="py-8 text-center text-sm text-ink-faint">{empty}</p>}
      <ul className="-mx-2 space-y-0.5">
        {sorted?.slice(0, shown).map((share) => (
          <li key={share.name}>
            <Bar
              share={share}
              part={total === 0 ? 0 : costOf(share) / total}
              width={largest === 0 ? 0 : costOf(share) / largest}
            />
          </li>
        ))}
      </ul>
      {sorted !== undefined && sorted.length > shown && (
        <p className="mt-2 text-xs text-ink-faint">and {sorted.length - shown} more</p>
      )}
    </Card>
  )
}

function Bar({ share, part, width }: { share: Share; part: number; width: number }) {
  const { name, filter, sums, note } = share
  return (
    <Link
      to="/logs"
      search={filter}
      title={`Show requests of ${name}`}
      className="block rounded-lg px-2 py-1.5 transition-colors hover:bg-hover"
    >
      <span className="flex items-baseline gap-3 text-sm">
        <span className="min-w-0 flex-1 truncate font-medium">
          {name}
          {note !== undefined && <span className="ml-2 text-xs font-normal text-ink-faint">{note}</span>}
        </span>
        {sums.total_cost === null ? (
          <span className="text-xs text-accent">no price</span>
        ) : (
          <>
            <Dollars amount={sums.total_cost} />
            <span className="w-12 text-right text-xs text-ink-faint">{percentText(part)}</span>
          </>
        )}
      </span>
      <span aria-hidden className="mt-1 block h-1.5 overflow-hidden rounded-full bg-hover">
        <span
          className="block h-full rounded-full bg-primary"
          style={{ width: `${(width * 100).toFixed(2)}%` }}
        />
      </span>
      <span className="mt-0.5 block text-xs text-ink-faint">
        {counted(sums.requests, 'request')}, {shortCount(sums.total_tokens)} tokens
        {sums.errors > 0 && `, ${counted(sums.errors, 'error')}`}
        {sums.unpriced_requests > 0 &&
          sums.total_cost !== null &&
          `, ${shortCount(sums.unpriced_requests)} without a price`}
      </span>
    </Link>
  )
}
