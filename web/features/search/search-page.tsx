import { useEffect, useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Search as SearchIcon, X } from 'lucide-react'
import type { SearchState } from '#search/contract'
import type { CurrentGroup } from '../../api/session.ts'
import { inGroup } from '../../shell/no-group.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { ListSkeleton } from '../../ui/skeleton.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { EmbeddingsFailure } from '../../ui/embeddings-failure.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { countText } from '../../ui/quantity.ts'
import { KindChips } from './kind-chips.tsx'
import { BestResults, ResultsByKind } from './results.tsx'
import { kindsOf, readSearchAddress, type SearchAddress } from './search-address.ts'
import { KeptSearches, SaveSearchButton } from './kept-searches.tsx'
import { rememberSearch, type AskedSearch } from './recent-searches.ts'
import { byKindQuery, useIndex } from './search-queries.ts'
import { SearchStart } from './search-start.tsx'
import { useResultKeys } from './use-result-keys.ts'

const route = getRouteApi('/shell/search')

export const SearchPage = inGroup(Search)

function Search({ group }: { group: CurrentGroup }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const index = useIndex(group.id)
  const input = useRef<HTMLInputElement>(null)
  const onKeyDown = useResultKeys(input)
  const change = (part: Partial<Record<keyof SearchAddress, string | undefined>>) =>
    void navigate({
      search: (before) => readSearchAddress({ ...before, ...part }),
      replace: true,
      resetScroll: false,
    })
  const open = ({ query, kinds }: AskedSearch) => change({ q: query, kinds: kinds.join(',') })
  const { text, setText, commit } = useTypedQuery(search.q ?? '', (q) => change({ q }))
  const chosen = kindsOf(search)
  const byKind = useQuery(byKindQuery(group.id, search.q ?? ''))
  const isFound = byKind.data?.kinds.some(({ count }) => count > 0) ?? false
  useEffect(() => {
    if (search.q !== undefined && isFound)
      rememberSearch(group.id, { query: search.q, kinds: kindsOf(search) })
  }, [group.id, search, isFound])
  return (
    <Page
      title="Search"
      description="Search models, requests and everything else in Signalbox, by meaning and by keyword."
    >
      <div className="space-y-5" onKeyDown={onKeyDown}>
        <form
          role="search"
          className="space-y-3"
          onSubmit={(event) => {
            event.preventDefault()
            commit(text)
          }}
        >
          <QueryInput input={input} text={text} onText={setText} onClear={() => commit('')} />
          <div className="flex flex-wrap items-center justify-between gap-3">
            <KindChips
              kinds={index.data?.kinds ?? []}
              found={byKind.data?.kinds}
              isAsked={search.q !== undefined}
              chosen={chosen}
              onChange={(kinds) => change({ kinds: kinds.join(',') })}
            />
            {search.q !== undefined && (
              <div className="flex flex-wrap items-center gap-2">
                <SaveSearchButton groupId={group.id} search={{ query: search.q, kinds: chosen }} />
                <Segmented
                  label="Order"
                  value={search.view ?? 'best'}
                  onChange={(view) => change({ view })}
                  choices={[
                    { id: 'best', label: 'Best match' },
                    { id: 'kinds', label: 'By kind' },
                  ]}
                />
              </div>
            )}
          </div>
        </form>
        {index.data && index.data.waiting > 0 && <IndexLine index={index.data} />}
        {search.q === undefined ? (
          index.data ? (
            <>
              <KeptSearches groupId={group.id} index={index.data} onOpen={open} />
              <SearchStart index={index.data} onAsk={commit} />
            </>
          ) : index.error ? (
            <EmbeddingsFailure error={index.error} onRetry={() => index.refetch()} />
          ) : (
            <ListSkeleton rows={3} />
          )
        ) : (
          <Results
            groupId={group.id}
            search={search}
            index={index.data}
            onAllKinds={() => change({ kinds: undefined })}
            onKind={(kind) => change({ kinds: kind, view: undefined })}
          />
        )}
      </div>
    </Page>
  )
}

/** The typed text, written to the address after a pause; changes of the address from elsewhere update the text. */
function useTypedQuery(asked: string, onAsk: (text: string) => void) {
  const [text, setText] = useState(asked)
  const written = useRef(asked)
  const settled = useDebounced(text)
  const commit = (next: string) => {
    setText(next)
    written.current = next.trim()
    if (written.current !== asked) onAsk(written.current)
  }
  useEffect(() => {
    if (settled.trim() === written.current) return
    written.current = settled.trim()
    onAsk(written.current)
    // Only new text triggers a search, not a new callback.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [settled])
  useEffect(() => {
    if (asked === written.current) return
    written.current = asked
    setText(asked)
  }, [asked])
  return { text, setText, commit }
}

interface QueryInputProps {
  input: React.RefObject<HTMLInputElement | null>
  text: string
  onText: (text: string) => void
  onClear: () => void
}

function QueryInput({ input, text, onText, onClear }: QueryInputProps) {
  return (
    <div className="relative">
      <SearchIcon
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-4 size-5 -translate-y-1/2 text-ink-faint"
      />
      <input
        ref={input}
        // The page has this one purpose.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        type="text"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        aria-label="Search everything"
        placeholder="Search models, requests, errors…"
        value={text}
        onChange={(event) => onText(event.target.value)}
        className="h-12 w-full rounded-xl border border-field bg-surface pr-12 pl-12 text-[1rem] text-ink shadow-low transition-colors placeholder:text-ink-faint hover:border-ink-soft"
      />
      {text !== '' && (
        <IconButton
          label="Clear"
          icon={X}
          className="absolute top-2 right-2"
          onClick={() => {
            onClear()
            input.current?.focus()
          }}
        />
      )}
    </div>
  )
}

const firstLength = 20
const maxLength = 100

interface ResultsProps {
  groupId: string
  search: SearchAddress
  index: Parameters<typeof BestResults>[0]['index']
  onAllKinds: () => void
  onKind: (kind: string) => void
}

function Results({ groupId, search, index, onAllKinds, onKind }: ResultsProps) {
  // A new query starts with a short list.
  const key = JSON.stringify([search.q, search.kinds])
  const [lengthened, setLengthened] = useState('')
  const limit = lengthened === key ? maxLength : firstLength
  const asked = { text: search.q ?? '', kinds: kindsOf(search) }
  const shared = { groupId, index, onAllKinds }
  if (search.view === 'kinds')
    return <ResultsByKind {...shared} onKind={onKind} query={{ ...asked, limit: 5 }} />
  return (
    <BestResults
      {...shared}
      query={{ ...asked, limit }}
      onMore={limit < maxLength ? () => setLengthened(key) : undefined}
    />
  )
}

/** Shown while documents are being embedded: keywords find all of them, meaning only those done. */
function IndexLine({ index }: { index: SearchState }) {
  return (
    <div className="rounded-xl border border-line bg-surface px-4 py-3">
      <p className="mb-2 flex flex-wrap justify-between gap-x-4 text-sm text-ink-soft">
        <span>Indexing. Until it is done, some documents are found by keyword only.</span>
        <span className="text-ink-faint">{countText(index.waiting)} chunks left</span>
      </p>
      <ProgressBar label="Indexed" percent={index.progress} />
    </div>
  )
}
