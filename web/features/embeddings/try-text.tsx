import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import type { Task } from '#embeddings/contract'
import { welcomeQuery } from '../../api/welcome.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Field } from '../../ui/field.tsx'
import { Figure, Figures } from '../../ui/figure.tsx'
import { Select } from '../../ui/input.tsx'
import { Card } from '../../ui/page.tsx'
import { counted, durationText } from '../../ui/quantity.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { EmbeddingsFailure } from '../../ui/embeddings-failure.tsx'
import { shellQuoted } from '../../ui/shell-quote.ts'
import { statusQuery, vectorQuery } from './embedding-queries.ts'
import { VectorPicture } from './vector-picture.tsx'
import { largestOf, lengthOf } from './vectors.ts'
import { TextareaField } from '../../ui/text-field.tsx'

const taskNames: Record<Task, string> = {
  search_document: 'Document for search',
  search_query: 'Search query',
  classification: 'Classification',
  clustering: 'Clustering',
}

interface TryTextProps {
  groupId: string
  text: string
  onText: (text: string) => void
}

export function TryText({ groupId, text, onText }: TryTextProps) {
  const [task, setTask] = useState<Task>('search_document')
  const status = useQuery(statusQuery(groupId))
  const welcome = useQuery(welcomeQuery(groupId))
  const settled = useDebounced(text)
  return (
    <div className="space-y-5">
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_16rem]">
        <TextareaField
          label="Text"
          hint={counted(text.trim().split(/\s+/).filter(Boolean).length, 'word')}
          rows={3}
          className="max-h-60 min-h-21"
          value={text}
          onChange={onText}
        />
        <Field
          label="Task"
          hint={
            status.data?.driver === 'builtin'
              ? 'The built-in model returns the same vector for every task.'
              : undefined
          }
        >
          {(ids) => (
            <Select {...ids} value={task} onChange={(event) => setTask(event.target.value as Task)}>
              {Object.entries(taskNames).map(([id, name]) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      {settled.trim() === '' ? (
        <p className="rounded-xl border border-dashed border-line-strong px-4 py-10 text-center text-sm text-ink-faint">
          Enter text to see its vector.
        </p>
      ) : (
        <VectorCard groupId={groupId} text={settled} task={task} />
      )}
      <CodeBlock
        language="bash"
        what="Request as curl"
        source={curlFor(welcome.data?.base_url ?? location.origin, settled, task)}
      />
    </div>
  )
}

function VectorCard({ groupId, text, task }: { groupId: string; text: string; task: Task }) {
  const { data, error, isPlaceholderData, refetch } = useQuery(vectorQuery(groupId, text, task))
  if (error) return <EmbeddingsFailure error={error} onRetry={refetch} />
  if (!data)
    return (
      <Card>
        <Skeleton className="h-28" />
      </Card>
    )
  const { embedding, dimensions, model, milliseconds } = data
  const largest = largestOf(embedding)
  return (
    <div className={clsx('space-y-5 transition-opacity', isPlaceholderData && 'opacity-60')}>
      <Card
        title="Vector"
        description={`Model: ${model}`}
        action={<CopyButton text={JSON.stringify(embedding)} what="JSON" labelled />}
      >
        <VectorPicture vector={embedding} />
        <p className="mt-4 truncate rounded-lg bg-sunken px-3 py-2 font-mono text-xs text-ink-soft">
          [
          {embedding
            .slice(0, 12)
            .map((value) => value.toFixed(6))
            .join(', ')}
          , …]
        </p>
      </Card>
      <Figures label="About the vector">
        <Figure name="Dimensions" value={dimensions} note="for every text" />
        <Figure name="Length" value={lengthOf(embedding).toFixed(4)} note="always 1" />
        <Figure name="Largest value" value={largest.toFixed(4)} note="absolute" />
        <Figure name="Duration" value={durationText(milliseconds)} note="in the browser" />
      </Figures>
    </div>
  )
}

const maxLength = 500

/** The request of this page as a curl command. A long text is shortened: it is an example. */
function curlFor(baseUrl: string, text: string, task: Task): string {
  const shown = text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}…` : text
  const body = task === 'search_document' ? { text: shown } : { text: shown, task }
  return `curl ${baseUrl.replace(/\/$/, '')}/api/v1/embed \\
  -H "Authorization: Bearer YOUR_KEY" \\
  -H "Content-Type: application/json" \\
  -d ${shellQuoted(JSON.stringify(body))}`
}
