import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useCurrentGroup, type CurrentGroup } from '../../api/session.ts'
import { NoGroup } from '../../shell/no-group.tsx'
import { Lamp } from '../../ui/lamp.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { CompareTexts } from './compare-texts.tsx'
import { modelHealthQuery, statusQuery } from './embedding-queries.ts'
import { readEmbeddingsAddress } from './embeddings-address.ts'
import { aspects } from './health-card.tsx'
import { StateView } from './state-view.tsx'
import { TryText } from './try-text.tsx'

const route = getRouteApi('/shell/embeddings')

export function EmbeddingsPage() {
  const group = useCurrentGroup()
  return group === null ? <NoGroup /> : <Embeddings key={group.id} group={group} />
}

const exampleText = 'The signal is clear, and the night train may pass.'
const exampleTexts = [
  'How do I replace an expired API key?',
  'Rotate the key of the API before it expires',
  'Tomatoes want sun and a lot of water',
]

function Embeddings({ group }: { group: CurrentGroup }) {
  const { view = 'try' } = route.useSearch()
  const navigate = route.useNavigate()
  // Kept here, so that looking at another tab loses nothing.
  const [text, setText] = useState(exampleText)
  const [texts, setTexts] = useState(exampleTexts)
  return (
    <Page
      title="Embeddings"
      description="Texts as 768 numbers that lie near each other where the meanings do. The search is built on them, and your programs can ask for them."
      actions={<ModelLamp groupId={group.id} />}
    >
      <Tabs
        label="Embeddings"
        value={view}
        onChange={(id) => void navigate({ search: readEmbeddingsAddress({ view: id }), replace: true })}
        tabs={[
          {
            id: 'try',
            label: 'Try a text',
            content: <TryText groupId={group.id} text={text} onText={setText} />,
          },
          {
            id: 'compare',
            label: 'Compare',
            content: <CompareTexts groupId={group.id} texts={texts} onTexts={setTexts} />,
          },
          { id: 'state', label: 'State', content: <StateView group={group} /> },
        ]}
      />
    </Page>
  )
}

/** Which model answers, and whether it is well. */
function ModelLamp({ groupId }: { groupId: string }) {
  const health = useQuery(modelHealthQuery)
  const status = useQuery(statusQuery(groupId))
  if (!health.data || !status.data) return null
  return (
    <Link
      to="/embeddings"
      search={{ view: 'state' }}
      title={`The model is ${health.data.status}`}
      className="rounded-md text-sm text-ink-soft hover:text-ink"
    >
      <Lamp aspect={aspects[health.data.status]}>
        {status.data.model}
        <span className="sr-only">, {health.data.status}</span>
      </Lamp>
    </Link>
  )
}
