import { FilterX } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { FilterSelect, namedChoices } from '../../../ui/filter-select.tsx'
import { Input } from '../../../ui/input.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { PeriodChip, RemovableChip } from '../period-chip.tsx'
import { allStatuses, priorities, statusNames, ticketStatuses, unfinished } from './ticket-words.ts'
import { statusShown, type TicketsAddress } from './tickets-address.ts'

interface TicketFilterProps {
  address: TicketsAddress
  onChange: (part: Record<string, unknown>) => void
}

/** The filter is part of the address, so that a filtered list can be shared. */
export function TicketFilter({ address, onChange }: TicketFilterProps) {
  const { view, new: _form, ...filter } = address
  const { priority, assignee, since, until, completed_since, completed_until, stale_days } = filter
  const clear = (names: readonly string[]) =>
    onChange(Object.fromEntries(names.map((name) => [name, undefined])))
  const isFiltered = Object.keys(filter).length > 0
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
        <FilterSelect
          label="Status"
          all="All statuses"
          className="sm:w-40"
          value={statusShown(address)}
          choices={[{ id: unfinished, name: 'Not finished' }, ...namedChoices(ticketStatuses, statusNames)]}
          onChange={(chosen) => onChange({ status: chosen || allStatuses })}
        />
      )}
      <FilterSelect
        label="Priority"
        all="All priorities"
        className="sm:w-40"
        value={priority}
        choices={priorities.map((each) => ({ id: each, name: each }))}
        onChange={(chosen) => onChange({ priority: chosen })}
      />
      <Input
        aria-label="Assignee"
        placeholder="All assignees"
        className="sm:w-40"
        value={assignee ?? ''}
        onChange={(event) => onChange({ assignee: event.target.value })}
      />
      <PeriodChip since={since} until={until} onClear={() => clear(['since', 'until'])} />
      <PeriodChip
        what="completed"
        since={completed_since}
        until={completed_until}
        onClear={() => clear(['completed_since', 'completed_until'])}
      />
      {stale_days !== undefined && (
        <RemovableChip
          text={`without activity for ${stale_days} days`}
          onRemove={() => clear(['stale_days'])}
        />
      )}
      {isFiltered && (
        <Button look="quiet" icon={FilterX} onClick={() => clear(Object.keys(filter))}>
          Clear filters
        </Button>
      )}
    </div>
  )
}
