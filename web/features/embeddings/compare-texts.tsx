import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Textarea } from '../../ui/input.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import { EmbeddingsFailure } from '../../ui/embeddings-failure.tsx'
import { statusQuery, vectorsQuery } from './embedding-queries.ts'
import { Letter, letterOf } from './letter.tsx'
import { SimilarityMatrix } from './similarity-matrix.tsx'
import { isSame, shippedWords, similarityText } from './similarity-words.ts'
import { pairsOf, type Pair } from './vectors.ts'

const most = 5
const fewest = 2

interface CompareTextsProps {
  groupId: string
  texts: readonly string[]
  onTexts: (texts: string[]) => void
}

/** How near two to five texts are to each other, reckoned anew as they are written. */
export function CompareTexts({ groupId, texts, onTexts }: CompareTextsProps) {
  const settled = useSettled(texts)
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
            {texts.length > fewest && (
              <IconButton
                label={`Remove text ${letterOf(index)}`}
                icon={X}
                onClick={() => onTexts(texts.toSpliced(index, 1))}
              />
            )}
          </div>
        ))}
        {texts.length < most && (
          <Button
            look="quiet"
            size="small"
            icon={Plus}
            className="ml-8"
            onClick={() => onTexts([...texts, ''])}
          >
            Add a text
          </Button>
        )}
      </div>
      {isWritten ? (
        <Comparison groupId={groupId} texts={settled} />
      ) : (
        <p className="rounded-xl border border-dashed border-line-strong px-4 py-10 text-center text-sm text-ink-faint">
          Write something into each box, and they are compared.
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
  const isShipped = status.data?.driver === 'builtin'
  return (
    <Card className={clsx('transition-opacity', isPlaceholderData && 'opacity-60')}>
      {nearest && <Nearest pair={nearest} isOnly={pairs.length === 1} isShipped={isShipped} texts={texts} />}
      {data.embeddings.length > fewest && <SimilarityMatrix count={data.embeddings.length} pairs={pairs} />}
      <p className="mt-4 border-t border-line pt-3 text-xs text-pretty text-ink-faint">
        {isShipped
          ? `${data.model} goes by which words there are, not by their order: “dog bites man” is “man bites dog” to it, and a “not” changes little. It reads English. How the number is put into words goes by graded pairs of its own evaluation.`
          : `What counts as near differs from model to model: with ${data.model}, compare similarities with each other, not with those of another model.`}
      </p>
    </Card>
  )
}

interface NearestProps {
  pair: Pair
  isOnly: boolean
  isShipped: boolean
  texts: readonly string[]
}

function Nearest({ pair: { first, second, similarity }, isOnly, isShipped, texts }: NearestProps) {
  const width = `${(Math.max(0, similarity) * 100).toFixed(1)}%`
  const isReordered = isShipped && isSame(similarity) && texts[first]?.trim() !== texts[second]?.trim()
  return (
    <div role="status">
      <p className="text-xs text-ink-faint">
        {isOnly ? 'Similarity' : `Nearest: ${letterOf(first)} and ${letterOf(second)}`}
      </p>
      <p className="mt-0.5 flex flex-wrap items-baseline gap-x-3">
        <span className="text-2xl font-semibold tracking-tight">{similarityText(similarity, 3)}</span>
        {isShipped && <span className="text-ink-soft">{shippedWords(similarity)}</span>}
      </p>
      <div aria-hidden className="mt-2 h-2 overflow-hidden rounded-full bg-hover">
        <div className="h-full rounded-full bg-lamp transition-[width] duration-300" style={{ width }} />
      </div>
      <p aria-hidden className="mt-1 flex justify-between text-xs text-ink-faint">
        <span>0 nothing in common</span>
        <span>1 the same</span>
      </p>
      {isReordered && (
        <p className="mt-2 text-sm text-accent">
          Different texts, the same vector: the same words in another order.
        </p>
      )}
    </div>
  )
}
