import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import type { DatabaseSchema } from '#sql/contract'
import { ApiError } from '../../../../api/client.ts'
import { IconButton } from '../../../../ui/button.tsx'
import { SearchInput } from '../../../../ui/input.tsx'
import { FailureNotice, Notice } from '../../../../ui/notice.tsx'
import { counted, countText } from '../../../../ui/quantity.ts'
import { Skeleton } from '../../../../ui/skeleton.tsx'
import { matching, maxShown } from './matching.ts'
import { RelationRow } from './relation-row.tsx'

interface SchemaTreeProps {
  database: string
  schema: DatabaseSchema | undefined
  error: unknown
  isLoading: boolean
  onReload: () => void
  onInsert: (name: string) => void
}

/** Schemas, tables and views of the database. A click writes the name into the editor. */
export function SchemaTree({ database, schema, error, isLoading, onReload, onInsert }: SchemaTreeProps) {
  const [filter, setFilter] = useState('')
  return (
    <section aria-label="Schema" className="flex min-h-0 flex-col gap-3">
      <div className="flex items-center gap-1">
        <SearchInput
          label="Filter tables and columns"
          className="flex-1"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
        <IconButton label="Reload the schema" icon={RotateCw} onClick={onReload} />
      </div>
      {isLoading && !error && <TreeSkeleton />}
      {error !== null && <SchemaFailure database={database} error={error} onRetry={onReload} />}
      {schema && error === null && <Relations schema={schema} filter={filter} onInsert={onInsert} />}
    </section>
  )
}

interface RelationsProps {
  schema: DatabaseSchema
  filter: string
  onInsert: (name: string) => void
}

function Relations({ schema, filter, onInsert }: RelationsProps) {
  if (schema.relations.length === 0)
    return (
      <p className="text-sm text-ink-faint">No tables yet. What you create with CREATE TABLE appears here.</p>
    )
  const found = matching(schema.relations, filter)
  const shown = found.slice(0, maxShown)
  const bySchema = Map.groupBy(shown, (relation) => relation.schema)
  return (
    <div className="min-h-0 flex-1 space-y-3 overflow-y-auto text-sm">
      {found.length === 0 && <p className="text-ink-faint">Nothing has this in its name.</p>}
      {[...bySchema].map(([name, relations]) => (
        <div key={name}>
          <div className="mb-0.5 flex items-baseline justify-between gap-2 px-1 text-xs text-ink-faint">
            <span className="font-medium [overflow-wrap:anywhere]">{name}</span>
            <span className="whitespace-nowrap">{counted(relations.length, 'relation')}</span>
          </div>
          <ul aria-label={`Relations of ${name}`}>
            {relations.map((relation) => (
              <RelationRow
                key={relation.name}
                relation={relation}
                isOpenAtFirst={filter !== '' && shown.length <= 3}
                onInsert={onInsert}
              />
            ))}
          </ul>
        </div>
      ))}
      {found.length > shown.length && (
        <p className="text-xs text-ink-faint">
          {`${countText(found.length - shown.length)} more. Filter to find them.`}
        </p>
      )}
      {schema.truncated && (
        <p className="text-xs text-ink-faint">
          The database has more than can be shown: this is the beginning.
        </p>
      )}
    </div>
  )
}

interface SchemaFailureProps {
  database: string
  error: unknown
  onRetry: () => void
}

function SchemaFailure({ database, error, onRetry }: SchemaFailureProps) {
  if (!(error instanceof ApiError) || error.status !== 403)
    return <FailureNotice error={error} onRetry={onRetry} />
  return (
    <Notice tone="warning" title={`The policy does not let you read ${database}`}>
      <p>
        {error.message}{' '}
        <Link to="/sql/databases" className="text-accent hover:underline">
          Open databases
        </Link>
      </p>
    </Notice>
  )
}

function TreeSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="space-y-2.5">
      {[28, 40, 32, 24, 36].map((width) => (
        <Skeleton key={width} className="h-4" />
      ))}
    </div>
  )
}
