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
import { nearOf } from './nearness.ts'
import { ResultRow } from './result-row.tsx'
import { EmbeddingsFailure } from '../../ui/embeddings-failure.tsx'
import { bestQuery, byKindQuery, type Wish } from './search-queries.ts'

interface ResultsProps {
  groupId: string
  wish: Wish
  index: SearchState | undefined
  onAllKinds: () => void
}

/** Everything in one list, best first. */
export function BestResults({ onMore, ...props }: ResultsProps & { onMore: (() => void) | undefined }) {
  const { groupId, wish, index } = props
  const { data, error, isPlaceholderData, refetch } = useQuery(bestQuery(groupId, wish))
  if (error) return <EmbeddingsFailure error={error} onRetry={refetch} />
  if (!data) return <ListSkeleton rows={5} />
  const titles = new Map(index?.kinds.map(({ kind, title }) => [kind, title]))
  return (
    <Found {...props} semantic={data.semantic} results={data.results} isStale={isPlaceholderData}>
      {(shown) => (
        <>
          <ResultList label="Results" results={shown} titleOf={({ kind }) => titles.get(kind) ?? kind} />
          {onMore && shown.length === wish.limit && (
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
  const { data, error, isPlaceholderData, refetch } = useQuery(byKindQuery(props.groupId, props.wish))
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

function Found({ wish, index, onAllKinds, semantic, results, isStale, children }: FoundProps) {
  const [widened, setWidened] = useState('')
  const near = nearOf(results)
  const shown = widened === wish.text ? results : near
  const widen = results.length > shown.length && (
    <Button look="quiet" onClick={() => setWidened(wish.text)}>
      Show {near.length === 0 ? 'the nearest' : results.length - near.length} anyway
    </Button>
  )
  return (
    <div aria-busy={isStale} className={clsx('space-y-4 transition-opacity', isStale && 'opacity-60')}>
      {!semantic && (
        <Notice tone="caution" title="Only the words were looked for">
          The model that compares meanings does not answer.{' '}
          <Link to="/embeddings" search={{ view: 'state' }} className="underline underline-offset-2">
            See its state
          </Link>
        </Notice>
      )}
      {shown.length === 0 ? (
        <Nothing wish={wish} index={index} onAllKinds={onAllKinds} widen={widen} />
      ) : (
        <>
          <p role="status" className="text-sm text-ink-faint">
            {summaryOf(shown)}
          </p>
          {children(shown)}
          {widen && (
            <p className="flex flex-wrap items-center justify-center gap-x-2 text-sm text-ink-faint">
              The rest is far from it. {widen}
            </p>
          )}
        </>
      )}
    </div>
  )
}

/** Nearness is a matter of degree, so the list says how much of it has the words themselves. */
function summaryOf(results: readonly SearchResult[]): string {
  const withWords = results.filter(({ matched }) => matched.includes('words')).length
  if (withWords === results.length) return `${counted(results.length, 'result')} with words of yours`
  if (withWords === 0) return `${counted(results.length, 'result')} near in meaning, without a word of yours`
  return `${withWords} with words of yours, ${results.length - withWords} more near in meaning`
}

interface NothingProps extends Pick<ResultsProps, 'wish' | 'index' | 'onAllKinds'> {
  widen: ReactNode
}

function Nothing({ wish, index, onAllKinds, widen }: NothingProps) {
  if (index?.documents === 0)
    return (
      <EmptyState icon={SearchX} title="There is nothing to search yet">
        Models can be found once they were synchronised on the Providers page, requests a minute or two after
        they were sent.
      </EmptyState>
    )
  return (
    <EmptyState
      icon={SearchX}
      title={`Nothing found for “${wish.text.slice(0, 60)}”`}
      action={
        <>
          {wish.kinds.length > 0 && <Button onClick={onAllKinds}>Search everything</Button>}
          {widen}
        </>
      }
    >
      {index && index.waiting > 0
        ? 'The index is still being made; what is missing now may be found in a moment.'
        : 'Try other words for it. Quotation marks look for a phrase, a minus leaves a word out.'}
    </EmptyState>
  )
}

interface ResultListProps {
  label: string
  results: readonly SearchResult[]
  /** Without it the kind stands above the list. */
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
