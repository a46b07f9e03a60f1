import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { FileJson, SearchX } from 'lucide-react'
import { call } from '../../api/client.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SearchInput } from '../../ui/input.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { ListSkeleton } from '../../ui/skeleton.tsx'
import { readDocsSearch } from './docs-search.ts'
import { groupByTag, type OpenApi } from './openapi.ts'
import { OperationItem } from './operation-item.tsx'

const route = getRouteApi('/shell/docs')

export function DocsPage() {
  const { q = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const document = useQuery({
    queryKey: ['openapi'],
    queryFn: () => call<OpenApi>('GET', '/openapi.json'),
    staleTime: Infinity,
  })
  const search = (words: string) =>
    void navigate({ search: (before) => readDocsSearch({ ...before, q: words }), replace: true })
  return (
    <Page
      title="API reference"
      description="Every route of this box, as it runs here. Calls carry a key as a bearer token."
      actions={
        <a href="/openapi.json" target="_blank" rel="noreferrer" className={buttonClass()}>
          <FileJson aria-hidden className="size-4" />
          OpenAPI document
        </a>
      }
    >
      <SearchInput
        label="Search routes"
        className="mb-8 max-w-md"
        value={q}
        onChange={(event) => search(event.target.value)}
      />
      {document.error && <FailureNotice error={document.error} onRetry={() => document.refetch()} />}
      {document.isPending && <ListSkeleton rows={6} />}
      {document.data && <Groups document={document.data} words={q} onClear={() => search('')} />}
    </Page>
  )
}

function Groups({ document, words, onClear }: { document: OpenApi; words: string; onClear: () => void }) {
  const { open } = route.useSearch()
  const groups = groupByTag(document, words)
  if (groups.length === 0)
    return (
      <EmptyState
        icon={SearchX}
        title="No route matches"
        action={<Button onClick={onClear}>Show all routes</Button>}
      >
        Search by path, method or what a route does, such as “keys” or “POST”.
      </EmptyState>
    )
  return (
    <div className="space-y-10">
      {groups.map((group) => (
        <section key={group.name} aria-label={group.name}>
          <h2 className="text-base font-semibold">{group.name}</h2>
          {group.description !== '' && <p className="mt-0.5 text-sm text-ink-soft">{group.description}</p>}
          <ul className="mt-3 divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface shadow-low">
            {group.operations.map((operation) => (
              <OperationItem
                key={operation.id}
                operation={operation}
                document={document}
                open={operation.id === open}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
