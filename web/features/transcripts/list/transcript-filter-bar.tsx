import { useEffect, useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { FilterX } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { DateRangePicker } from '../../../ui/date-range.tsx'
import { FilterSelect } from '../../../ui/filter-select.tsx'
import { SearchInput } from '../../../ui/input.tsx'
import { useDebounced } from '../../../ui/use-debounced.ts'
import { usePageKeys } from '../../../ui/page-keys.ts'
import { useKeys } from '../../../ui/use-keys.ts'
import { projectsQuery, watchersQuery } from '../transcript-queries.ts'
import { assistantNames, shortPath } from '../transcript-words.ts'
import type { TranscriptFilter } from '../transcripts-address.ts'

interface TranscriptFilterBarProps {
  groupId: string
  q: string | undefined
  filter: TranscriptFilter
  onChange: (part: Record<string, string | undefined>, isTyping: boolean) => void
  onClear: () => void
}

const presets = [
  { label: 'Today', days: 1 },
  { label: '7 days', days: 7 },
  { label: '30 days', days: 30 },
  { label: 'All time', days: null },
]

/** The filter is part of the address, so that a filtered list or a search can be shared. */
export function TranscriptFilterBar({ groupId, q, filter, onChange, onClear }: TranscriptFilterBarProps) {
  const choose = (part: Record<string, string | undefined>) => onChange(part, false)
  const { project, assistant, machine, start_date, end_date } = filter
  const projects = useQuery(projectsQuery(groupId)).data ?? []
  const watchers = useQuery(watchersQuery(groupId)).data ?? []
  const paths = withChosen(
    projects.map((each) => each.project),
    project,
  )
  const machines = withChosen(
    watchers.map((each) => each.machine),
    machine,
  )
  return (
    <div
      role="search"
      aria-label="Transcripts"
      className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap sm:items-center"
    >
      <QueryInput q={q} onChange={(next) => onChange({ q: next }, true)} />
      <FilterSelect
        label="Project"
        all="All projects"
        className="sm:w-52"
        value={project}
        choices={paths.map((path) => ({ id: path, name: shortPath(path), whole: path }))}
        onChange={(chosen) => choose({ project: chosen })}
      />
      <FilterSelect
        label="Assistant"
        all="All assistants"
        className="sm:w-40"
        value={assistant}
        choices={Object.entries(assistantNames).map(([id, name]) => ({ id, name }))}
        onChange={(chosen) => choose({ assistant: chosen })}
      />
      {(machines.length > 1 || machine !== undefined) && (
        <FilterSelect
          label="Machine"
          all="All machines"
          className="sm:w-40"
          value={machine}
          choices={machines.map((name) => ({ id: name, name }))}
          onChange={(chosen) => choose({ machine: chosen })}
        />
      )}
      <DateRangePicker
        value={{ start_date, end_date }}
        placeholder="All time"
        presets={presets}
        className="w-full sm:w-44"
        onChange={(range) => choose({ start_date: range.start_date, end_date: range.end_date })}
      />
      {(q !== undefined || Object.keys(filter).length > 0) && (
        <Button look="quiet" icon={FilterX} onClick={onClear}>
          Clear filters
        </Button>
      )}
    </div>
  )
}

/** The chosen value is always among the choices, also one that no longer exists. */
const withChosen = (values: readonly string[], chosen: string | undefined): string[] => [
  ...new Set(chosen === undefined ? values : [chosen, ...values]),
]

const listKeys = [{ title: 'Sessions', keys: [['/', 'Search']] }] as const

/** What is typed becomes part of the address after a moment. */
function QueryInput({
  q = '',
  onChange,
}: {
  q: string | undefined
  onChange: (q: string | undefined) => void
}) {
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(q)
  const settled = useDebounced(text)
  // The address changed elsewhere: the back button, the palette.
  useEffect(() => setText(q), [q])
  useEffect(() => {
    const trimmed = settled.trim()
    if (settled === text && trimmed !== q) onChange(trimmed === '' ? undefined : trimmed)
    // Only what is typed is written to the address.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [settled])
  useKeys({ '/': () => field.current?.focus() })
  usePageKeys(listKeys)
  return (
    <SearchInput
      ref={field}
      label="Search all messages"
      placeholder='Search all messages: rounding "exact phrase" -word'
      maxLength={500}
      className="col-span-2 min-w-56 flex-1 basis-full lg:basis-64"
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.blur()
      }}
    />
  )
}
