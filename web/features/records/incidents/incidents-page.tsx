import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Plus, ShieldCheck } from 'lucide-react'
import { servicesQuery } from '../../../api/services.ts'
import { mayWrite, type CurrentGroup } from '../../../api/session.ts'
import { inGroup } from '../../../shell/no-group.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FilterSelect } from '../../../ui/filter-select.tsx'
import { Page } from '../../../ui/page.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { PeriodChip } from '../period-chip.tsx'
import { NoMatches } from '../no-matches.tsx'
import { PagedList } from '../../../ui/paged-list.tsx'
import { listQuery } from '../record-queries.ts'
import { IncidentDialog } from './incident-dialog.tsx'
import { IncidentRows } from './incident-rows.tsx'
import { readIncidentsAddress, type IncidentsAddress } from './incidents-address.ts'

const route = getRouteApi('/shell/incidents')

export const IncidentsPage = inGroup(Incidents)

function Incidents({ group }: { group: CurrentGroup }) {
  const address = route.useSearch()
  const { new: isAdding, ...filter } = address
  const navigate = route.useNavigate()
  const show = (part: Record<string, unknown>) =>
    void navigate({ search: readIncidentsAddress({ ...address, ...part }), replace: true })
  const services = useQuery(servicesQuery(group.id)).data
  const add = mayWrite(group) && (services?.length ?? 0) > 0 && (
    <Button look="primary" icon={Plus} onClick={() => show({ new: true })}>
      Report incident
    </Button>
  )
  return (
    <Page
      title="Incidents"
      description="What went wrong with any service: found by health checks, sent by alerts or reported by people."
      actions={add}
    >
      <div className="space-y-4">
        <IncidentFilter groupId={group.id} address={address} onChange={show} />
        <PagedList
          query={listQuery(group.id, '/api/incidents', { query: filter })}
          every={15_000}
          empty={
            Object.keys(filter).length > 0 ? (
              <NoMatches
                noun="incident"
                plural="incidents"
                onClear={() => void navigate({ search: {}, replace: true })}
              />
            ) : (
              <NoIncidents group={group} hasServices={services === undefined || services.length > 0} />
            )
          }
        >
          {(incidents) => <IncidentRows group={group} incidents={incidents} hasServices />}
        </PagedList>
      </div>
      {isAdding === true && (
        <IncidentDialog
          groupId={group.id}
          service={address.service ?? services?.[0]?.name}
          onClose={() => show({ new: undefined })}
        />
      )}
    </Page>
  )
}

function NoIncidents({ group, hasServices }: { group: CurrentGroup; hasServices: boolean }) {
  const navigate = route.useNavigate()
  if (hasServices)
    return (
      <EmptyState icon={ShieldCheck} title="No incidents">
        Failed health checks and alerts from webhooks open incidents.
        {mayWrite(group) && ' Report what they do not see with the button above.'}
      </EmptyState>
    )
  return (
    <EmptyState
      icon={ShieldCheck}
      title="No incidents"
      action={<Button onClick={() => void navigate({ to: '/services' })}>Open services</Button>}
    >
      Incidents belong to services. Add the first service; its health checks then open incidents.
    </EmptyState>
  )
}

interface IncidentFilterProps {
  groupId: string
  address: IncidentsAddress
  onChange: (part: Record<string, unknown>) => void
}

/** The filter is part of the address, so that a filtered list can be shared. */
function IncidentFilter({ groupId, address, onChange }: IncidentFilterProps) {
  const services = useQuery(servicesQuery(groupId)).data ?? []
  const { service, status, since, until } = address
  return (
    <div
      role="search"
      aria-label="Filter"
      className="grid grid-cols-1 gap-2 sm:flex sm:flex-wrap sm:items-center"
    >
      <Segmented<'all' | 'open' | 'closed'>
        label="Status"
        value={status ?? 'all'}
        onChange={(next) => onChange({ status: next === 'all' ? undefined : next })}
        choices={[
          { id: 'all', label: 'All' },
          { id: 'open', label: 'Open' },
          { id: 'closed', label: 'Closed' },
        ]}
      />
      <FilterSelect
        label="Service"
        all="All services"
        className="sm:w-44"
        value={service}
        choices={services.map(({ name, title }) => ({ id: name, name: title }))}
        onChange={(chosen) => onChange({ service: chosen })}
      />
      <PeriodChip
        since={since}
        until={until}
        onClear={() => onChange({ since: undefined, until: undefined })}
      />
    </div>
  )
}
