import { useEffect, useRef, useState } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { Search as SearchIcon, X } from 'lucide-react'
import { useCurrentGroup, type CurrentGroup } from '../../api/session.ts'
import { NoGroup } from '../../shell/no-group.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { ListSkeleton } from '../../ui/skeleton.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import { IndexLine } from './index-line.tsx'
import { KindChips } from './kind-chips.tsx'
import { BestResults, ResultsByKind } from './results.tsx'
import { kindsOf, readSearchAddress, type SearchAddress } from './search-address.ts'
import { useIndex } from './search-queries.ts'
import { EmbeddingsFailure } from '../../ui/embeddings-failure.tsx'
import { SearchStart } from './search-start.tsx'
import { useResultKeys } from './use-result-keys.ts'

const route = getRouteApi('/shell/search')

export function SearchPage() {
  const group = useCurrentGroup()
  return group === null ? <NoGroup /> : <Search key={group.id} group={group} />
}

function Search({ group }: { group: CurrentGroup }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const index = useIndex(group.id)
  const box = useRef<HTMLInputElement>(null)
  const onKeyDown = useResultKeys(box)
  const change = (part: Partial<Record<keyof SearchAddress, string | undefined>>) =>
    void navigate({
      search: (before) => readSearchAddress({ ...before, ...part }),
      replace: true,
      resetScroll: false,
    })
  const { text, setText, commit } = useTypedQuery(search.q ?? '', (q) => change({ q }))
  const chosen = kindsOf(search)
  return (
    <Page title="Search" description="Everything the box holds, by what it means and by the words in it.">
      <div className="space-y-5" onKeyDown={onKeyDown}>
        <form
          role="search"
          className="space-y-3"
          onSubmit={(event) => {
            event.preventDefault()
            commit(text)
          }}
        >
          <QueryBox box={box} text={text} onText={setText} onClear={() => commit('')} />
          <div className="flex flex-wrap items-center justify-between gap-3">
            <KindChips
              kinds={index.data?.kinds ?? []}
              chosen={chosen}
              onChange={(kinds) => change({ kinds: kinds.join(',') })}
            />
            {search.q !== undefined && (
              <Segmented
                label="Order"
                value={search.view ?? 'best'}
                onChange={(view) => change({ view })}
                choices={[
                  { id: 'best', label: 'Best first' },
                  { id: 'kinds', label: 'By kind' },
                ]}
              />
            )}
          </div>
        </form>
        {index.data && index.data.waiting > 0 && <IndexLine index={index.data} />}
        {search.q === undefined ? (
          index.data ? (
            <SearchStart index={index.data} onAsk={commit} />
          ) : index.error ? (
            <EmbeddingsFailure error={index.error} onRetry={() => index.refetch()} />
          ) : (
            <ListSkeleton rows={3} />
          )
        ) : (
          <Answers
            groupId={group.id}
            search={search}
            index={index.data}
            onAllKinds={() => change({ kinds: undefined })}
          />
        )}
      </div>
    </Page>
  )
}

/** What is being typed, and its way into the address once it rests; what the address gets from elsewhere comes back. */
function useTypedQuery(asked: string, onAsk: (text: string) => void) {
  const [text, setText] = useState(asked)
  const written = useRef(asked)
  const settled = useSettled(text)
  const commit = (next: string) => {
    setText(next)
    written.current = next.trim()
    if (written.current !== asked) onAsk(written.current)
  }
  useEffect(() => {
    if (settled.trim() === written.current) return
    written.current = settled.trim()
    onAsk(written.current)
    // Only what was typed asks: a new callback is no new question.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [settled])
  useEffect(() => {
    if (asked === written.current) return
    written.current = asked
    setText(asked)
  }, [asked])
  return { text, setText, commit }
}

interface QueryBoxProps {
  box: React.RefObject<HTMLInputElement | null>
  text: string
  onText: (text: string) => void
  onClear: () => void
}

function QueryBox({ box, text, onText, onClear }: QueryBoxProps) {
  return (
    <div className="relative">
      <SearchIcon
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-4 size-5 -translate-y-1/2 text-ink-faint"
      />
      <input
        ref={box}
        // The page is for this one thing.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        type="text"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        aria-label="Search everything"
        placeholder="What are you looking for?"
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
            box.current?.focus()
          }}
        />
      )}
    </div>
  )
}

const firstLength = 20
const longest = 100

interface AnswersProps {
  groupId: string
  search: SearchAddress
  index: Parameters<typeof BestResults>[0]['index']
  onAllKinds: () => void
}

function Answers({ groupId, search, index, onAllKinds }: AnswersProps) {
  // Another question begins with a short list again.
  const question = JSON.stringify([search.q, search.kinds])
  const [lengthened, setLengthened] = useState('')
  const limit = lengthened === question ? longest : firstLength
  const asked = { text: search.q ?? '', kinds: kindsOf(search) }
  const shared = { groupId, index, onAllKinds }
  if (search.view === 'kinds') return <ResultsByKind {...shared} wish={{ ...asked, limit: 5 }} />
  return (
    <BestResults
      {...shared}
      wish={{ ...asked, limit }}
      onMore={limit < longest ? () => setLengthened(question) : undefined}
    />
  )
}
