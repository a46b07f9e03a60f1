import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Textarea } from '../../ui/input.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { EmbeddingsFailure } from '../../ui/embeddings-failure.tsx'
import { statusQuery, vectorsQuery } from './embedding-queries.ts'
import { Letter, letterOf } from './letter.tsx'
import { SimilarityMatrix } from './similarity-matrix.tsx'
import { isSame, builtInModelWords, similarityText } from './similarity-words.ts'
import { pairsOf, type Pair } from './vectors.ts'

const maxTexts = 5
const minTexts = 2

interface CompareTextsProps {
  groupId: string
  texts: readonly string[]
  onTexts: (texts: string[]) => void
}

/** The similarity of two to five texts, updated as they are typed. */
export function CompareTexts({ groupId, texts, onTexts }: CompareTextsProps) {
  const settled = useDebounced(texts)
  const isWritten = settled.every((text) => text.trim() !== '')
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <div className="space-y-2.5">
        {texts.map((text, index) => (
          <div key={index} className="flex items-start gap-2">
            <Letter index={index} className="mt-1.5" />
            <Textarea
              aria-label={`Text ${letterOf(index)}`}
              rows={2}
              className="max-h-40 min-h-15"
              value={text}
              onChange={(event) => onTexts(texts.with(index, event.target.value))}
            />
            {texts.length > minTexts && (
              <IconButton
                label={`Remove text ${letterOf(index)}`}
                icon={X}
                onClick={() => onTexts(texts.toSpliced(index, 1))}
              />
            )}
          </div>
        ))}
        {texts.length < maxTexts && (
          <Button
            look="quiet"
            size="small"
            icon={Plus}
            className="ml-8"
            onClick={() => onTexts([...texts, ''])}
          >
            Add text
          </Button>
        )}
      </div>
      {isWritten ? (
        <Comparison groupId={groupId} texts={settled} />
      ) : (
        <p className="rounded-xl border border-dashed border-line-strong px-4 py-10 text-center text-sm text-ink-faint">
          Enter text in every field to compare them.
        </p>
      )}
    </div>
  )
}

function Comparison({ groupId, texts }: { groupId: string; texts: readonly string[] }) {
  const status = useQuery(statusQuery(groupId))
  const { data, error, isPlaceholderData, refetch } = useQuery(vectorsQuery(groupId, texts))
  if (error) return <EmbeddingsFailure error={error} onRetry={refetch} />
  if (!data)
    return (
      <Card>
        <Skeleton className="h-40" />
      </Card>
    )
  const pairs = pairsOf(data.embeddings)
  const [nearest] = pairs
  const isBuiltIn = status.data?.driver === 'builtin'
  return (
    <Card className={clsx('transition-opacity', isPlaceholderData && 'opacity-60')}>
      {nearest && <Nearest pair={nearest} isOnly={pairs.length === 1} isBuiltIn={isBuiltIn} texts={texts} />}
      {data.embeddings.length > minTexts && <SimilarityMatrix count={data.embeddings.length} pairs={pairs} />}
      <p className="mt-4 border-t border-line pt-3 text-xs text-pretty text-ink-faint">
        {isBuiltIn
          ? `${data.model} compares the words in a text, not their order: “dog bites man” equals “man bites dog”, and a “not” changes little. It is made for English. The labels are based on the graded pairs of its evaluation.`
          : `Similarities differ between models: compare values of ${data.model} only with each other, not with those of another model.`}
      </p>
    </Card>
  )
}

interface NearestProps {
  pair: Pair
  isOnly: boolean
  isBuiltIn: boolean
  texts: readonly string[]
}

function Nearest({ pair: { first, second, similarity }, isOnly, isBuiltIn, texts }: NearestProps) {
  const width = `${(Math.max(0, similarity) * 100).toFixed(1)}%`
  const isReordered = isBuiltIn && isSame(similarity) && texts[first]?.trim() !== texts[second]?.trim()
  return (
    <div role="status">
      <p className="text-xs text-ink-faint">
        {isOnly ? 'Similarity' : `Most similar: ${letterOf(first)} and ${letterOf(second)}`}
      </p>
      <p className="mt-0.5 flex flex-wrap items-baseline gap-x-3">
        <span className="text-2xl font-semibold tracking-tight">{similarityText(similarity, 3)}</span>
        {isBuiltIn && <span className="text-ink-soft">{builtInModelWords(similarity)}</span>}
      </p>
      <div aria-hidden className="mt-2 h-2 overflow-hidden rounded-full bg-hover">
        <div className="h-full rounded-full bg-primary transition-[width] duration-300" style={{ width }} />
      </div>
      <p aria-hidden className="mt-1 flex justify-between text-xs text-ink-faint">
        <span>0 unrelated</span>
        <span>1 identical</span>
      </p>
      {isReordered && (
        <p className="mt-2 text-sm text-accent">
          Different texts, same vector: the same words in a different order.
        </p>
      )}
    </div>
  )
}
