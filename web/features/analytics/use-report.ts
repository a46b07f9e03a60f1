import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { timeZone } from '../../ui/moment.ts'
import { parametersOf, type AnalyticsAddress } from './analytics-address.ts'

const every = 60_000

export interface Scope {
  groupId: string
  address: AnalyticsAddress
}

/** One report for the period of the address, reloaded every minute. */
export function useReport<Report>(
  name: string,
  { groupId, address }: Scope,
  load: (query: ReturnType<typeof parametersOf>) => Promise<Report>,
) {
  return useQuery({
    queryKey: ['analytics', groupId, name, address],
    queryFn: () => load(parametersOf(address, timeZone(), Date.now())),
    placeholderData: keepPreviousData,
    refetchInterval: every,
  })
}
