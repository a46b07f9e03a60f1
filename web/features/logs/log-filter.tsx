import { useEffect, useRef, useState, type RefObject } from 'react'
import { FilterX, SlidersHorizontal, X } from 'lucide-react'
import type { LogFilter } from '#usage/contract'
import { Button } from '../../ui/button.tsx'
import { SearchInput } from '../../ui/input.tsx'
import { PeriodMenu } from '../../ui/period-menu.tsx'
import type { Period } from '../../ui/period.ts'
import { Segmented } from '../../ui/segmented.tsx'
import { useNarrow } from '../../ui/use-narrow.ts'
import { valueFilters, type LogsAddress } from './logs-address.ts'
import { ValueMenus } from './value-menus.tsx'

interface LogFilterBarProps {
  groupId: string
  search: LogsAddress
  /** The same as the server takes it. */
  filter: LogFilter
  searchField: RefObject<HTMLInputElement | null>
  onChange: (part: Record<string, unknown>) => void
  onClear: () => void
}

/** On a phone the filters are folded behind a button: the list comes first. */
export function LogFilterBar(props: LogFilterBarProps) {
  const { search, searchField, onChange, onClear } = props
  const isNarrow = useNarrow()
  const [isUnfolded, setUnfolded] = useState(false)
  const count = countOf(search)
  return (
    <div role="search" aria-label="Filter" className="flex flex-wrap items-center gap-2">
      <TextField value={search.q} field={searchField} onChange={(q) => onChange({ q })} />
      {isNarrow && (
        <Button icon={SlidersHorizontal} aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
          {count === 0 ? 'Filters' : `Filters · ${count}`}
        </Button>
      )}
      {(!isNarrow || isUnfolded) && <FilterMenus {...props} />}
      {search.session !== undefined && (
        <Button
          icon={X}
          title={`Session ${search.session}`}
          onClick={() => onChange({ session: undefined })}
          className="max-w-60"
        >
          <span className="truncate">Session {search.session}</span>
        </Button>
      )}
      {search.route !== undefined && (
        <Button
          icon={X}
          title={`Route ${search.route}`}
          onClick={() => onChange({ route: undefined })}
          className="max-w-60"
        >
          <span className="truncate">Route {search.route}</span>
        </Button>
      )}
      {Object.keys(search).length > 0 && (
        <Button look="quiet" icon={FilterX} onClick={onClear}>
          Clear filters
        </Button>
      )}
    </div>
  )
}

/** How many filters are folded away. */
const countOf = (search: LogsAddress): number =>
  [...valueFilters, 'status' as const].filter((name) => search[name] !== undefined).length +
  (periodOf(search) === undefined ? 0 : 1)

function periodOf({ range, since, until }: LogsAddress): Period | undefined {
  const period: Period = {
    ...(range !== undefined && { range }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  }
  return Object.keys(period).length === 0 ? undefined : period
}

function FilterMenus({ groupId, search, filter, onChange }: LogFilterBarProps) {
  return (
    <>
      <PeriodMenu
        period={periodOf(search) ?? {}}
        onChange={({ range, since, until }) => onChange({ range, since, until })}
      />
      <ValueMenus groupId={groupId} filter={filter} onChange={onChange} />
      <Segmented
        label="Status"
        value={search.status ?? 'all'}
        onChange={(status) => onChange({ status: status === 'all' ? undefined : status })}
        choices={[
          { id: 'all', label: 'All' },
          { id: 'ok', label: 'OK' },
          { id: 'error', label: 'Errors' },
        ]}
      />
    </>
  )
}

interface TextFieldProps {
  value: string | undefined
  field: RefObject<HTMLInputElement | null>
  onChange: (text: string | undefined) => void
}

const waitMs = 300

/** Applied when the reader stops typing. */
function TextField({ value = '', field, onChange }: TextFieldProps) {
  const [text, setText] = useState(value)
  const apply = useRef(onChange)
  useEffect(() => {
    apply.current = onChange
  })
  const applied = useRef(value)
  useEffect(() => {
    // What was applied from here comes back, perhaps after more was typed.
    if (value !== applied.current) setText(value)
    applied.current = value
  }, [value])
  useEffect(() => {
    if (text === value) return undefined
    const timer = setTimeout(() => {
      applied.current = text.trim() === '' ? '' : text
      apply.current(applied.current || undefined)
    }, waitMs)
    return () => clearTimeout(timer)
  }, [text, value])
  return (
    <SearchInput
      ref={field}
      label="Model, provider, key or request ID"
      value={text}
      maxLength={200}
      onChange={(event) => setText(event.target.value)}
      className="min-w-0 flex-[1_1_12rem] sm:max-w-80"
    />
  )
}
