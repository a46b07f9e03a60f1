import { useQuery } from '@tanstack/react-query'
import type { UsageFilter } from '#usage/contract'
import { byModelQuery } from '../../api/usage-queries.ts'
import { daysAfter, today } from '../../ui/days.ts'
import { modelShare } from './shares.tsx'
import { ShareBars } from './share-bars.tsx'

/** Which models requests of a filter used in the last 30 days; nothing where there were none. */
export function SpendByModel({ groupId, filter }: { groupId: string; filter: UsageFilter }) {
  const here = { ...filter, start_date: daysAfter(today(), -29), end_date: today() }
  const { data = [] } = useQuery(byModelQuery(groupId, here))
  if (data.length === 0) return null
  return (
    <ShareBars
      title="By model"
      description="Cost and share of the last 30 days"
      shares={data.map((sums) => modelShare(here, sums))}
      empty=""
    />
  )
}
