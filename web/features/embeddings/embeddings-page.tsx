import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { CurrentGroup } from '../../api/session.ts'
import { inGroup } from '../../shell/no-group.tsx'
import { StatusDot } from '../../ui/status-dot.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { CompareTexts } from './compare-texts.tsx'
import { modelHealthQuery, statusQuery } from './embedding-queries.ts'
import { readEmbeddingsAddress } from './embeddings-address.ts'
import { statuses } from './health-card.tsx'
import { StateView } from './state-view.tsx'
import { TryText } from './try-text.tsx'

const route = getRouteApi('/shell/embeddings')

export const EmbeddingsPage = inGroup(Embeddings)

const exampleText = 'Deploys are blocked until the failing health check is fixed.'
const exampleTexts = [
  'How do I replace an expired API key?',
  'Rotate the key of the API before it expires',
  'Tomatoes need sun and a lot of water',
]

function Embeddings({ group }: { group: CurrentGroup }) {
  const { view = 'try' } = route.useSearch()
  const navigate = route.useNavigate()
  // Stored here, so that switching tabs loses nothing.
  const [text, setText] = useState(exampleText)
  const [texts, setTexts] = useState(exampleTexts)
  return (
    <Page
      title="Embeddings"
      description="Turn text into vectors of 768 numbers: similar meanings give similar vectors. Search uses them, and your apps can request them."
      actions={<ModelStatus groupId={group.id} />}
    >
      <Tabs
        label="Embeddings"
        value={view}
        onChange={(id) => void navigate({ search: readEmbeddingsAddress({ view: id }), replace: true })}
        tabs={[
          {
            id: 'try',
            label: 'Try it',
            content: <TryText groupId={group.id} text={text} onText={setText} />,
          },
          {
            id: 'compare',
            label: 'Compare',
            content: <CompareTexts groupId={group.id} texts={texts} onTexts={setTexts} />,
          },
          { id: 'state', label: 'Status', content: <StateView group={group} /> },
        ]}
      />
    </Page>
  )
}

/** The model in use and its health. */
function ModelStatus({ groupId }: { groupId: string }) {
  const health = useQuery(modelHealthQuery)
  const status = useQuery(statusQuery(groupId))
  if (!health.data || !status.data) return null
  return (
    <Link
      to="/embeddings"
      search={{ view: 'state' }}
      title={`Model status: ${health.data.status}`}
      className="rounded-md text-sm text-ink-soft hover:text-ink"
    >
      <StatusDot status={statuses[health.data.status]}>
        {status.data.model}
        <span className="sr-only">, {health.data.status}</span>
      </StatusDot>
    </Link>
  )
}
