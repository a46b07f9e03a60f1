import { FilterX } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { Input, Select } from '../../../ui/input.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { PeriodChip } from '../period-chip.tsx'
import { priorities, statusNames, ticketStatuses } from './ticket-words.ts'
import type { TicketsAddress } from './tickets-address.ts'

interface TicketFilterProps {
  address: TicketsAddress
  onChange: (part: Record<string, unknown>) => void
}

/** The filter is part of the address, so that a filtered list can be shared. */
export function TicketFilter({ address, onChange }: TicketFilterProps) {
  const { view, status, priority, assignee, since, until } = address
  const none = {
    status: undefined,
    priority: undefined,
    assignee: undefined,
    since: undefined,
    until: undefined,
  }
  const isFiltered = [status, priority, assignee, since, until].some((value) => value !== undefined)
  return (
    <div
      role="search"
      aria-label="Filter"
      className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap sm:items-center"
    >
      <Segmented
        label="View"
        value={view ?? 'list'}
        onChange={(next) => onChange({ view: next })}
        choices={[
          { id: 'list', label: 'List' },
          { id: 'board', label: 'Board' },
        ]}
      />
      {view !== 'board' && (
        <Select
          aria-label="Status"
          className="sm:w-40"
          value={status ?? ''}
          onChange={(event) => onChange({ status: event.target.value })}
        >
          <option value="">All statuses</option>
          <option value="open,in_progress">Not finished</option>
          {ticketStatuses.map((each) => (
            <option key={each} value={each}>
              {statusNames[each]}
            </option>
          ))}
        </Select>
      )}
      <Select
        aria-label="Priority"
        className="sm:w-40"
        value={priority ?? ''}
        onChange={(event) => onChange({ priority: event.target.value })}
      >
        <option value="">All priorities</option>
        {priorities.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </Select>
      <Input
        aria-label="Assignee"
        placeholder="All assignees"
        className="sm:w-40"
        value={assignee ?? ''}
        onChange={(event) => onChange({ assignee: event.target.value })}
      />
      <PeriodChip
        since={since}
        until={until}
        onClear={() => onChange({ since: undefined, until: undefined })}
      />
      {isFiltered && (
        <Button look="quiet" icon={FilterX} onClick={() => onChange(none)}>
          Clear filters
        </Button>
      )}
    </div>
  )
}
