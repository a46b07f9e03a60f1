import { useEffect, useState, type RefObject } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, X } from 'lucide-react'
import { IconButton } from '../../../ui/button.tsx'
import { SearchInput } from '../../../ui/input.tsx'
import { useDebounced } from '../../../ui/use-debounced.ts'
import { foundInSessionQuery } from '../transcript-queries.ts'

interface FindBarProps {
  groupId: string
  sessionId: string
  q: string | undefined
  message: string | undefined
  field: RefObject<HTMLInputElement | null>
  /** Set by the bar: moves to the next or the previous hit. */
  step: RefObject<(by: 1 | -1) => void>
  onQuery: (q: string | undefined) => void
  onOpen: (message: string) => void
}

/** Searches the whole session, also what is not loaded. */
export function FindBar({ groupId, sessionId, q, message, field, step, onQuery, onOpen }: FindBarProps) {
  const [text, setText] = useState(q ?? '')
  const settled = useDebounced(text.trim())
  useEffect(() => setText(q ?? ''), [q])
  useEffect(() => {
    if (settled === text.trim() && settled !== (q ?? '')) onQuery(settled === '' ? undefined : settled)
    // Only what is typed is written to the address.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [settled])
  const found = useQuery({
    ...foundInSessionQuery(groupId, sessionId, q ?? ''),
    enabled: q !== undefined && q !== '',
  })
  const hits = q === undefined ? [] : (found.data?.messages ?? [])
  const at = hits.indexOf(message ?? '')
  const go = (by: 1 | -1) => {
    const to = at === -1 ? (by === 1 ? 0 : hits.length - 1) : (at + by + hits.length) % hits.length
    const hit = hits[to]
    if (hit !== undefined) onOpen(hit)
  }
  useEffect(() => {
    step.current = go
  })
  return (
    <search className="flex min-w-0 flex-1 basis-full items-center gap-1 sm:max-w-md sm:basis-0">
      <SearchInput
        ref={field}
        label="Search in this session"
        maxLength={500}
        className="min-w-0 flex-1"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur()
          if (event.key === 'Enter') go(event.shiftKey ? -1 : 1)
        }}
      />
      {q !== undefined && found.data && (
        <>
          <span role="status" className="px-1 text-xs whitespace-nowrap text-ink-faint">
            {hits.length === 0
              ? 'No hits'
              : `${at === -1 ? '–' : at + 1} of ${hits.length}${found.data.hasMore ? '+' : ''}`}
          </span>
          <IconButton
            label="Previous hit (N)"
            icon={ChevronUp}
            disabled={hits.length === 0}
            onClick={() => go(-1)}
          />
          <IconButton
            label="Next hit (n)"
            icon={ChevronDown}
            disabled={hits.length === 0}
            onClick={() => go(1)}
          />
          <IconButton label="Clear search" icon={X} onClick={() => onQuery(undefined)} />
        </>
      )}
    </search>
  )
}
