import { useQuery } from '@tanstack/react-query'
import { FilterX } from 'lucide-react'
import { servicesQuery } from '../../../api/services.ts'
import { Button } from '../../../ui/button.tsx'
import { FilterSelect } from '../../../ui/filter-select.tsx'
import { Input } from '../../../ui/input.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { PeriodChip } from '../period-chip.tsx'
import type { NoteKind } from './note-kinds.ts'
import type { NotesAddress } from './notes-address.ts'

interface NoteFilterProps {
  groupId: string
  kind: NoteKind
  address: NotesAddress
  onChange: (part: Record<string, unknown>) => void
}

/** The filter is part of the address, so that a filtered list can be shared. */
export function NoteFilter({ groupId, kind, address, onChange }: NoteFilterProps) {
  const { new: _, ...filter } = address
  const isFiltered = Object.keys(filter).length > 0
  return (
    <div
      role="search"
      aria-label="Filter"
      className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap sm:items-center"
    >
      <Segmented
        label="Author"
        value={address.author_kind ?? 'all'}
        onChange={(author_kind) => onChange({ author_kind })}
        choices={[
          { id: 'all', label: 'All' },
          { id: 'human', label: 'Human' },
          { id: 'ai', label: 'AI' },
        ]}
      />
      {kind.hasService && <ServiceSelect groupId={groupId} address={address} onChange={onChange} />}
      {kind.sort && (
        <Input
          aria-label={kind.sort.label}
          placeholder={kind.sort.all}
          className="sm:w-36"
          value={address[kind.sort.field] ?? ''}
          onChange={(event) => kind.sort && onChange({ [kind.sort.field]: event.target.value })}
        />
      )}
      <Input
        aria-label="Tag"
        placeholder="All tags"
        className="sm:w-36"
        value={address.tag ?? ''}
        onChange={(event) => onChange({ tag: event.target.value })}
      />
      <PeriodChip
        since={address.since}
        until={address.until}
        onClear={() => onChange({ since: undefined, until: undefined })}
      />
      {isFiltered && (
        <Button
          look="quiet"
          icon={FilterX}
          onClick={() => onChange(Object.fromEntries(Object.keys(filter).map((name) => [name, undefined])))}
        >
          Clear filters
        </Button>
      )}
    </div>
  )
}

function ServiceSelect({ groupId, address, onChange }: Omit<NoteFilterProps, 'kind'>) {
  const services = useQuery(servicesQuery(groupId)).data ?? []
  const value = address.service_id ?? ''
  return (
    <FilterSelect
      label="Service"
      all="All services"
      className="sm:w-40"
      value={value}
      choices={services.map(({ name, title }) => ({ id: name, name: title }))}
      onChange={(service_id) => onChange({ service_id })}
    />
  )
}
