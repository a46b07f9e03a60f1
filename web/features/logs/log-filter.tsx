import { FilterX, X } from 'lucide-react'
import type { LogFilter } from '#usage/contract'
import { Button } from '../../ui/button.tsx'
import { DateRangePicker } from '../../ui/date-range.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { FilterSelects } from '../../ui/usage-filter-selects.tsx'

const presets = [
  { label: 'Today', days: 1 },
  { label: 'Last 7 days', days: 7 },
  { label: 'Last 30 days', days: 30 },
  { label: 'All time', days: null },
]

interface LogFilterBarProps {
  groupId: string
  filter: LogFilter
  onChange: (part: Record<string, string | undefined>) => void
  onClear: () => void
}

export function LogFilterBar({ groupId, filter, onChange, onClear }: LogFilterBarProps) {
  return (
    <div
      role="search"
      aria-label="Filter"
      className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap sm:items-center"
    >
      <DateRangePicker
        value={filter}
        onChange={({ start_date, end_date }) => onChange({ start_date, end_date })}
        placeholder="All time"
        presets={presets}
        className="w-full sm:w-50"
      />
      <FilterSelects groupId={groupId} filter={filter} onChange={onChange} />
      <Segmented
        label="Status"
        value={filter.status ?? 'all'}
        onChange={(status) => onChange({ status: status === 'all' ? undefined : status })}
        choices={[
          { id: 'all', label: 'All' },
          { id: 'ok', label: 'OK' },
          { id: 'error', label: 'Errors' },
        ]}
      />
      {filter.session !== undefined && (
        <Button
          icon={X}
          title={`Session ${filter.session}`}
          onClick={() => onChange({ session: undefined })}
          className="max-w-60"
        >
          <span className="truncate">Session {filter.session}</span>
        </Button>
      )}
      {Object.keys(filter).length > 0 && (
        <Button look="quiet" icon={FilterX} onClick={onClear}>
          Clear filters
        </Button>
      )}
    </div>
  )
}
