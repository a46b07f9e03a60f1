import { useEffect, useState, type ReactNode, type RefObject } from 'react'
import { SlidersHorizontal } from 'lucide-react'
import type { EventStats, Severity } from '#console/contract'
import { Button } from '../../ui/button.tsx'
import { SearchInput, Select } from '../../ui/input.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { useNarrow } from '../../ui/use-narrow.ts'
import { usualPeriod } from './console-address.ts'
import {
  exclude,
  fields,
  include,
  valueOf,
  withSeverity,
  type ConsoleFilter,
  type Field,
} from './console-filter.ts'
import { severitiesByUrgency, typeName } from './event-words.ts'
import { FacetMenu, type FacetValue } from './facet-menu.tsx'
import { PeriodMenu } from '../../ui/period-menu.tsx'
import type { Period } from '../../ui/period.ts'

interface ConsoleToolbarProps {
  filter: ConsoleFilter
  period: Period
  /** The values that the filters offer, with their counts. */
  facets: EventStats | undefined
  searchField: RefObject<HTMLInputElement | null>
  onChange: (filter: ConsoleFilter, isTyping?: boolean) => void
  onPeriod: (period: Period) => void
  /** What else belongs beside the filters. */
  children: ReactNode
}

/** Search and filters. On a phone the filters by value are folded behind a button: the events come first. */
export function ConsoleToolbar(props: ConsoleToolbarProps) {
  const { filter, period, facets, searchField, onChange, onPeriod, children } = props
  const isNarrow = useNarrow()
  const [isUnfolded, setUnfolded] = useState(false)
  const count = countOf(filter)
  const facet = (field: Field, label: string, counts: Record<string, number> | undefined) => (
    <FacetMenu
      label={label}
      values={valuesOf(field, counts ?? {}, filter[field] ?? [])}
      terms={filter[field] ?? []}
      onInclude={(value) => onChange(include(filter, field, value))}
      onExclude={(value) => onChange(exclude(filter, field, value))}
    />
  )
  return (
    <div role="search" aria-label="Search and filter events" className="flex flex-wrap items-center gap-2">
      <QueryInput filter={filter} searchField={searchField} onChange={onChange} />
      {isNarrow && (
        <Button icon={SlidersHorizontal} aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
          {count === 0 ? 'Filters' : `Filters · ${count}`}
        </Button>
      )}
      {(!isNarrow || isUnfolded) && (
        <>
          <SeveritySelect
            value={filter.severity}
            onChange={(severity) =>
              onChange({ ...withSeverity(filter, undefined), ...(severity && { severity }) })
            }
          />
          {facet('type', 'Type', facets?.by_type)}
          {facet('service', 'Service', facets?.by_service)}
          {facet('source', 'Source', facets?.by_source)}
        </>
      )}
      <PeriodMenu period={period} usual={usualPeriod} onChange={onPeriod} />
      {children}
    </div>
  )
}

/** How many filters are folded away. */
const countOf = (filter: ConsoleFilter): number =>
  fields.filter((field) => (filter[field] ?? []).length > 0).length + (filter.severity === undefined ? 0 : 1)

/** Values with events in the period, and the chosen ones without any. Most frequent first. */
function valuesOf(field: Field, counts: Record<string, number>, terms: readonly string[]): FacetValue[] {
  const all = { ...Object.fromEntries(terms.map((term) => [valueOf(term), 0])), ...counts }
  return Object.entries(all)
    .map(([value, count]) => ({ value, label: field === 'type' ? typeName(value) : value, count }))
    .sort((one, other) => other.count - one.count || one.label.localeCompare(other.label))
}

type QueryInputProps = Pick<ConsoleToolbarProps, 'filter' | 'searchField' | 'onChange'>

/** What is typed becomes part of the address after a moment. */
function QueryInput({ filter, searchField, onChange }: QueryInputProps) {
  const query = filter.q ?? ''
  const [text, setText] = useState(query)
  const settled = useDebounced(text)
  // The address changed elsewhere: the back button, a saved view.
  useEffect(() => setText(query), [query])
  useEffect(() => {
    const trimmed = settled.trim()
    if (settled !== text || trimmed === query) return
    const { q: _, ...rest } = filter
    onChange(trimmed === '' ? rest : { ...rest, q: trimmed }, true)
    // Only what is typed is written to the address.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [settled])
  return (
    <SearchInput
      ref={searchField}
      label="Search titles and messages"
      placeholder='Search: timeout "exact phrase" -word'
      maxLength={500}
      className="min-w-0 flex-[1_1_12rem] sm:min-w-56 sm:basis-64"
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.blur()
      }}
    />
  )
}

interface SeveritySelectProps {
  value: Severity | undefined
  onChange: (severity: Severity | undefined) => void
}

function SeveritySelect({ value, onChange }: SeveritySelectProps) {
  return (
    <Select
      aria-label="Severity"
      className="basis-44"
      value={value ?? ''}
      onChange={(event) => onChange(severitiesByUrgency.find((each) => each === event.target.value))}
    >
      <option value="">All severities</option>
      {severitiesByUrgency.slice(0, -1).map((severity) => (
        <option key={severity} value={severity}>
          {severity === 'critical'
            ? 'Critical'
            : `${severity[0]?.toUpperCase()}${severity.slice(1)} and above`}
        </option>
      ))}
    </Select>
  )
}
