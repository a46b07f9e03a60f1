import { useState, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { SearchX } from 'lucide-react'
import type { SearchResult, SearchState } from '#search/contract'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { counted } from '../../ui/quantity.ts'
import { ListSkeleton } from '../../ui/skeleton.tsx'
import { closeMatches } from './close-matches.ts'
import { ResultRow } from './result-row.tsx'
import { EmbeddingsFailure } from '../../ui/embeddings-failure.tsx'
import { bestQuery, byKindQuery, type SearchQuery } from './search-queries.ts'

interface ResultsProps {
  groupId: string
  query: SearchQuery
  index: SearchState | undefined
  onAllKinds: () => void
}

/** All kinds in one list, best first. */
export function BestResults({ onMore, ...props }: ResultsProps & { onMore: (() => void) | undefined }) {
  const { groupId, query, index } = props
  const { data, error, isPlaceholderData, refetch } = useQuery(bestQuery(groupId, query))
  if (error) return <EmbeddingsFailure error={error} onRetry={refetch} />
  if (!data) return <ListSkeleton rows={5} />
  const titles = new Map(index?.kinds.map(({ kind, title }) => [kind, title]))
  return (
    <Found {...props} semantic={data.semantic} results={data.results} isStale={isPlaceholderData}>
      {(shown) => (
        <>
          <ResultList label="Results" results={shown} titleOf={({ kind }) => titles.get(kind) ?? kind} />
          {onMore && shown.length === query.limit && (
            <div className="flex justify-center">
              <Button onClick={onMore} busy={isPlaceholderData}>
                Show more
              </Button>
            </div>
          )}
        </>
      )}
    </Found>
  )
}

/** The best of each kind under its name. */
export function ResultsByKind(props: ResultsProps) {
  const { data, error, isPlaceholderData, refetch } = useQuery(byKindQuery(props.groupId, props.query))
  if (error) return <EmbeddingsFailure error={error} onRetry={refetch} />
  if (!data) return <ListSkeleton rows={5} />
  const results = data.groups.flatMap((group) => group.results)
  return (
    <Found {...props} semantic={data.semantic} results={results} isStale={isPlaceholderData}>
      {(shown) =>
        data.groups
          .map((group) => ({ ...group, results: shown.filter(({ kind }) => kind === group.kind) }))
          .filter((group) => group.results.length > 0)
          .map((group) => (
            <section key={group.kind} aria-label={group.title}>
              <h2 className="mb-2 text-sm font-semibold">{group.title}</h2>
              <ResultList label={group.title} results={group.results} />
            </section>
          ))
      }
    </Found>
  )
}

interface FoundProps extends ResultsProps {
  semantic: boolean
  results: readonly SearchResult[]
  isStale: boolean
  children: (shown: readonly SearchResult[]) => ReactNode
}

function Found({ query, index, onAllKinds, semantic, results, isStale, children }: FoundProps) {
  const [widened, setWidened] = useState('')
  const near = closeMatches(results)
  const shown = widened === query.text ? results : near
  const widen = results.length > shown.length && (
    <Button look="quiet" onClick={() => setWidened(query.text)}>
      Show {near.length === 0 ? 'closest results' : `${results.length - near.length} weaker results`}
    </Button>
  )
  return (
    <div aria-busy={isStale} className={clsx('space-y-4 transition-opacity', isStale && 'opacity-60')}>
      {!semantic && (
        <Notice tone="warning" title="Keyword results only">
          The embedding model is unavailable, so results are not ranked by meaning.{' '}
          <Link to="/embeddings" search={{ view: 'state' }} className="underline underline-offset-2">
            Check its status
          </Link>
        </Notice>
      )}
      {shown.length === 0 ? (
        <Nothing query={query} index={index} onAllKinds={onAllKinds} widen={widen} />
      ) : (
        <>
          <p role="status" className="text-sm text-ink-faint">
            {summaryOf(shown)}
          </p>
          {children(shown)}
          {widen && (
            <p className="flex flex-wrap items-center justify-center gap-x-2 text-sm text-ink-faint">
              {widen}
            </p>
          )}
        </>
      )}
    </div>
  )
}

/** Says how many results contain the keywords and how many only match in meaning. */
function summaryOf(results: readonly SearchResult[]): string {
  const withWords = results.filter(({ matched }) => matched.includes('words')).length
  if (withWords === results.length) return `${counted(results.length, 'result')} with your keywords`
  if (withWords === 0) return `${counted(results.length, 'result')} by meaning, none with your keywords`
  return `${withWords} with your keywords, ${results.length - withWords} more by meaning`
}

interface NothingProps extends Pick<ResultsProps, 'query' | 'index' | 'onAllKinds'> {
  widen: ReactNode
}

function Nothing({ query, index, onAllKinds, widen }: NothingProps) {
  if (index?.documents === 0)
    return (
      <EmptyState icon={SearchX} title="Nothing to search yet">
        Models appear after a sync on the Providers page, requests within two minutes of being sent.
      </EmptyState>
    )
  return (
    <EmptyState
      icon={SearchX}
      title={`No results for “${query.text.slice(0, 60)}”`}
      action={
        <>
          {query.kinds.length > 0 && <Button onClick={onAllKinds}>Search all kinds</Button>}
          {widen}
        </>
      }
    >
      {index && index.waiting > 0
        ? 'The index is still being built. Try again in a moment.'
        : 'Try different words. Use quotation marks for a phrase and a minus sign to exclude a word.'}
    </EmptyState>
  )
}

interface ResultListProps {
  label: string
  results: readonly SearchResult[]
  /** Absent where a heading above the list names the kind. */
  titleOf?: (result: SearchResult) => string
}

function ResultList({ label, results, titleOf }: ResultListProps) {
  return (
    <ol
      aria-label={label}
      className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface shadow-low"
    >
      {results.map((result) => (
        <ResultRow key={`${result.kind} ${result.id}`} result={result} kind={titleOf?.(result)} />
      ))}
    </ol>
  )
}
