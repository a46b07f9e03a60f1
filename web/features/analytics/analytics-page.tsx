import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { servicesQuery } from '../../api/services.ts'
import type { CurrentGroup } from '../../api/session.ts'
import { inGroup } from '../../shell/no-group.tsx'
import { DateRangePicker } from '../../ui/date-range.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { timeZone } from '../../ui/moment.ts'
import { Page } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { readAnalyticsAddress, type Range } from './analytics-address.ts'
import { DeploymentSection } from './deployment-section.tsx'
import { DevlogSection } from './devlog-section.tsx'
import { DoraSection } from './dora-section.tsx'
import { HealthSection } from './health-section.tsx'
import { TicketSection } from './ticket-section.tsx'

const route = getRouteApi('/shell/analytics')

export const AnalyticsPage = inGroup(Analytics)

function Analytics({ group }: { group: CurrentGroup }) {
  const address = route.useSearch()
  const scope = { groupId: group.id, address }
  return (
    <Page
      title="Analytics"
      wide
      description="How deployments, tickets, services and devlogs are going. Changes compare with the period before."
    >
      <div className="space-y-10">
        <PeriodBar group={group} />
        <DoraSection scope={scope} />
        <DeploymentSection scope={scope} />
        <TicketSection scope={scope} />
        <HealthSection scope={scope} />
        <DevlogSection scope={scope} />
      </div>
    </Page>
  )
}

function PeriodBar({ group }: { group: CurrentGroup }) {
  const address = route.useSearch()
  const navigate = route.useNavigate()
  const services = useQuery(servicesQuery(group.id)).data ?? []
  const show = (part: Record<string, unknown>) =>
    void navigate({ search: readAnalyticsAddress({ ...address, ...part }), resetScroll: false })
  const isCustom = address.from !== undefined
  return (
    <div
      role="search"
      aria-label="Period and filter"
      className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap sm:items-center"
    >
      <Segmented<Range | 'custom'>
        label="Period"
        value={isCustom ? 'custom' : (address.range ?? '7d')}
        onChange={(range) => show({ range, from: undefined, to: undefined })}
        choices={[
          { id: '24h', label: '24 h' },
          { id: '7d', label: '7 d' },
          { id: '30d', label: '30 d' },
        ]}
      />
      <DateRangePicker
        value={{ start_date: address.from, end_date: address.to }}
        onChange={({ start_date, end_date }) => show({ from: start_date, to: end_date })}
        placeholder="Custom period"
        presets={[]}
        zone={timeZone()}
        className="w-full max-sm:order-last max-sm:col-span-2 sm:w-60"
      />
      <FilterSelect
        label="Service"
        all="All services"
        className="sm:w-44"
        value={address.service}
        choices={services.map(({ name, title }) => ({ id: name, name: title }))}
        onChange={(service) => show({ service })}
      />
    </div>
  )
}
