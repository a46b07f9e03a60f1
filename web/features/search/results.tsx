import type { ReactNode } from 'react'
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
import { ResultRow } from './result-row.tsx'
import { EmbeddingsFailure } from '../../ui/embeddings-failure.tsx'
import { shownCount } from './shown-count.ts'
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
      <ResultList label="Results" results={data.results} titleOf={({ kind }) => titles.get(kind) ?? kind} />
      {onMore && data.results.length === query.limit && (
        <div className="flex justify-center">
          <Button onClick={onMore} busy={isPlaceholderData}>
            Show more
          </Button>
        </div>
      )}
    </Found>
  )
}

/** The best of each kind under its name. */
export function ResultsByKind(props: ResultsProps & { onKind: (kind: string) => void }) {
  const { groupId, query, onKind } = props
  const { data, error, refetch } = useQuery(byKindQuery(groupId, query.text))
  if (error) return <EmbeddingsFailure error={error} onRetry={refetch} />
  if (!data) return <ListSkeleton rows={5} />
  const isAsked = (kind: string) => query.kinds.length === 0 || query.kinds.includes(kind)
  const kinds = data.kinds.filter(({ kind, count }) => count > 0 && isAsked(kind))
  const results = kinds.flatMap((each) => each.results)
  return (
    <Found {...props} semantic={data.semantic} results={results} isStale={false}>
      {kinds.map((each) => (
        <section key={each.kind} aria-label={each.title}>
          <div className="mb-2 flex items-baseline justify-between gap-3">
            <h2 className="text-sm font-semibold">{each.title}</h2>
            {each.count > each.results.length && (
              <Button look="quiet" onClick={() => onKind(each.kind)}>
                Show all {shownCount(each)}
              </Button>
            )}
          </div>
          <ResultList label={each.title} results={each.results} />
        </section>
      ))}
    </Found>
  )
}

interface FoundProps extends ResultsProps {
  semantic: boolean
  results: readonly SearchResult[]
  isStale: boolean
  children: ReactNode
}

function Found({ query, index, onAllKinds, semantic, results, isStale, children }: FoundProps) {
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
      {results.length === 0 ? (
        <Nothing query={query} index={index} onAllKinds={onAllKinds} />
      ) : (
        <>
          <p role="status" className="text-sm text-ink-faint">
            {summaryOf(results)}
          </p>
          {children}
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

function Nothing({ query, index, onAllKinds }: Pick<ResultsProps, 'query' | 'index' | 'onAllKinds'>) {
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
      action={query.kinds.length > 0 && <Button onClick={onAllKinds}>Search all kinds</Button>}
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
