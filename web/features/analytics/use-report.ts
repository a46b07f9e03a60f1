import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { timeZone } from '../../ui/moment.ts'
import { parametersOf, type AnalyticsAddress } from './analytics-address.ts'

const every = 60_000

export interface Scope {
  groupId: string
  address: AnalyticsAddress
}

/** One report for the period of the address, reloaded every minute. */
export function useReport<Report>(name: string, { groupId, address }: Scope) {
  return useQuery({
    queryKey: ['analytics', groupId, name, address],
    queryFn: () => {
      // Tickets belong to no service.
      const { service: _, ...all } = address
      const asked = parametersOf(name === 'tickets/flow' ? all : address, timeZone(), Date.now())
      return call<Report>('GET', `/api/analytics/${name}?${new URLSearchParams(asked).toString()}`)
    },
    placeholderData: keepPreviousData,
    refetchInterval: every,
  })
}
