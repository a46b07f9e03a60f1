import { useState, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { BookmarkPlus, Trash2 } from 'lucide-react'
import { toast } from 'sonner'
import type { SearchState } from '#search/contract'
import { call } from '../../api/client.ts'
import { useChange } from '../../api/refresh-queries.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { SaveDialog } from '../../ui/save-dialog.tsx'
import { forgetSearches, useRecentSearches, type AskedSearch } from './recent-searches.ts'
import { savedQuery } from './search-queries.ts'

interface KeptSearchesProps {
  groupId: string
  index: SearchState
  onOpen: (search: AskedSearch) => void
}

/** Searches of before: those that the person saved, and the latest of this browser. */
export function KeptSearches({ groupId, index, onOpen }: KeptSearchesProps) {
  const saved = useQuery(savedQuery(groupId))
  const recent = useRecentSearches(groupId)
  const remove = useChange(savedQuery(groupId).queryKey, (id: string) =>
    call('DELETE', '/api/v1/search/saved/{id}', { path: { id } }),
  )
  const titles = new Map(index.kinds.map(({ kind, title }) => [kind, title]))
  const kindsText = (kinds: readonly string[]) => kinds.map((kind) => titles.get(kind) ?? kind).join(', ')
  const error = saved.error ?? remove.error
  return (
    <>
      {error && <FailureNotice error={error} onRetry={() => saved.refetch()} />}
      {saved.data && saved.data.data.length > 0 && (
        <Section title="Saved searches">
          {saved.data.data.map((search) => (
            <Row
              key={search.id}
              label={search.name}
              note={kindsText(search.kinds)}
              onOpen={() => onOpen(search)}
            >
              <IconButton
                label={`Delete saved search ${search.name}`}
                icon={Trash2}
                disabled={remove.isPending}
                onClick={() =>
                  remove.mutate(search.id, { onSuccess: () => void toast.success('Saved search deleted') })
                }
              />
            </Row>
          ))}
        </Section>
      )}
      {recent.length > 0 && (
        <Section
          title="Recent searches"
          action={
            <Button look="quiet" onClick={() => forgetSearches(groupId)}>
              Clear recent searches
            </Button>
          }
        >
          {recent.map((search) => (
            <Row
              key={JSON.stringify(search)}
              label={search.query}
              note={kindsText(search.kinds)}
              onOpen={() => onOpen(search)}
            />
          ))}
        </Section>
      )}
    </>
  )
}

function Section({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <div className="mb-2 flex items-center justify-between gap-3">
        <h2 className="text-sm font-medium text-ink-faint">{title}</h2>
        {action}
      </div>
      <ul className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface shadow-low">
        {children}
      </ul>
    </section>
  )
}

interface RowProps {
  label: string
  note: string
  onOpen: () => void
  children?: ReactNode
}

function Row({ label, note, onOpen, children }: RowProps) {
  return (
    <li className="flex items-center gap-1 pr-2">
      <button
        type="button"
        data-result
        onClick={onOpen}
        className="flex h-10 min-w-0 flex-1 items-center gap-3 px-4 text-left text-sm -outline-offset-2 hover:bg-hover"
      >
        <span className="min-w-0 truncate">{label}</span>
        {note !== '' && <span className="shrink-0 text-xs text-ink-faint">{note}</span>}
      </button>
      {children}
    </li>
  )
}

const saveSearch = (name: string, { query, kinds }: AskedSearch) =>
  call('POST', '/api/v1/search/saved', { body: { name, query, ...(kinds.length > 0 && { kinds }) } })

export function SaveSearchButton({ groupId, search }: { groupId: string; search: AskedSearch }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={BookmarkPlus} onClick={() => setOpen(true)}>
        Save search
      </Button>
      {isOpen && (
        <SaveDialog
          noun="search"
          description="Only you see it, in this group."
          name={search.query}
          queryKey={savedQuery(groupId).queryKey}
          save={(name) => saveSearch(name, search)}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
