import { useQuery } from '@tanstack/react-query'
import { FilterX } from 'lucide-react'
import { servicesQuery } from '../../../api/services.ts'
import { Button } from '../../../ui/button.tsx'
import { Input, Select } from '../../../ui/input.tsx'
import { PeriodChip, RemovableChip } from '../period-chip.tsx'
import type { DeploymentsAddress } from './deployments-address.ts'
import { deploymentStatuses, statusNames } from './deployment-words.ts'

interface DeploymentFilterProps {
  groupId: string
  address: DeploymentsAddress
  onChange: (part: Record<string, unknown>) => void
}

const switches = [
  { name: 'is_production', text: 'only production' },
  { name: 'is_rework', text: 'only rework' },
  { name: 'is_change_failure', text: 'only failed changes' },
] as const

/** The filter is part of the address, so that a filtered list can be shared. */
export function DeploymentFilter({ groupId, address, onChange }: DeploymentFilterProps) {
  const services = useQuery(servicesQuery(groupId)).data ?? []
  const { new: _form, ...filter } = address
  const { service, environment, status, since, until, ended_since, ended_until } = filter
  const isFiltered = Object.keys(filter).length > 0
  const clear = (names: readonly string[]) =>
    onChange(Object.fromEntries(names.map((name) => [name, undefined])))
  return (
    <div
      role="search"
      aria-label="Filter"
      className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap sm:items-center"
    >
      <Input
        aria-label="Service"
        list="deployment-services"
        placeholder="All services"
        className="sm:w-44"
        value={service ?? ''}
        onChange={(event) => onChange({ service: event.target.value })}
      />
      <datalist id="deployment-services">
        {services.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Input
        aria-label="Environment"
        placeholder="All environments"
        className="sm:w-44"
        value={environment ?? ''}
        onChange={(event) => onChange({ environment: event.target.value })}
      />
      <Select
        aria-label="Status"
        className="sm:w-44"
        value={status ?? ''}
        onChange={(event) => onChange({ status: event.target.value })}
      >
        <option value="">All statuses</option>
        {status?.includes(',') && <option value={status}>{status.replaceAll(',', ' or ')}</option>}
        {deploymentStatuses.map((each) => (
          <option key={each} value={each}>
            {statusNames[each]}
          </option>
        ))}
      </Select>
      <PeriodChip since={since} until={until} onClear={() => clear(['since', 'until'])} />
      <PeriodChip
        what="ended"
        since={ended_since}
        until={ended_until}
        onClear={() => clear(['ended_since', 'ended_until', 'is_change_failure'])}
      />
      {switches.map(
        ({ name, text }) =>
          filter[name] && <RemovableChip key={name} text={text} onRemove={() => clear([name])} />,
      )}
      {isFiltered && (
        <Button look="quiet" icon={FilterX} onClick={() => clear(Object.keys(filter))}>
          Clear filters
        </Button>
      )}
    </div>
  )
}
