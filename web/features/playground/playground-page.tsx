import { useState, useSyncExternalStore } from 'react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { CodeXml, Eraser } from 'lucide-react'
import type { Model } from '#gateway/contract'
import { useCurrentGroup, type CurrentGroup } from '../../api/session.ts'
import { NoGroup } from '../../shell/no-group.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { FailureNotice, Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { ListSkeleton } from '../../ui/skeleton.tsx'
import { firstPriced, modelsQuery } from '../../api/models.ts'
import { CodeDialog } from './code-dialog.tsx'
import { Composer } from './composer.tsx'
import { ConversationView, NoModels, Starters } from './conversation-view.tsx'
import { bodyOf } from './request-body.ts'
import { problemsOf, readSettings, type Settings } from './settings.ts'
import { SettingsPanel } from './settings-panel.tsx'
import type { Turn } from './types.ts'
import { createConversation, type Conversation } from './conversation.ts'
import { send } from './send.ts'

const route = getRouteApi('/shell/playground')

export function PlaygroundPage() {
  const group = useCurrentGroup()
  const models = useQuery({ ...modelsQuery(group?.id ?? ''), enabled: group !== null })
  if (group === null) return <NoGroup />
  if (models.data) return <Playground key={group.id} group={group} models={models.data} />
  return (
    <Page title="Playground">
      {models.error ? (
        <FailureNotice error={models.error} onRetry={() => models.refetch()} />
      ) : (
        <ListSkeleton />
      )}
    </Page>
  )
}

/** The last used model, if this group still has it. */
function firstChoice(models: readonly Model[]): string | undefined {
  const kept = readStored().model
  return (models.find(({ id }) => id === kept) ?? firstPriced(models))?.id
}

function Playground({ group, models }: { group: CurrentGroup; models: Model[] }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { turns, conversation } = useConversation(group.id)
  const [settings, setSettings] = useState(() => readStored().settings)
  const [text, setText] = useState('')
  const [showsCode, setShowsCode] = useState(false)
  const model = search.model ?? firstChoice(models)
  const isStreaming = turns.some((turn) => turn.role === 'assistant' && turn.state === 'streaming')
  const isValid = Object.keys(problemsOf(settings)).length === 0
  const ask = (asked: readonly Turn[]) => bodyOf(model ?? '', settings, asked)
  const chooseModel = (id: string) => {
    store({ model: id })
    void navigate({ search: { model: id }, replace: true })
  }
  const say = () => {
    if (text.trim() === '' || isStreaming || !isValid || model === undefined) return
    setText('')
    void conversation.say(text.trim(), ask)
  }
  return (
    <Page
      title="Playground"
      description="Chat with any model of your group. Requests go through the gateway and are logged like all others."
      actions={
        <>
          <Button icon={Eraser} disabled={turns.length === 0} onClick={conversation.clear}>
            Clear conversation
          </Button>
          <Button icon={CodeXml} disabled={model === undefined} onClick={() => setShowsCode(true)}>
            Get code
          </Button>
        </>
      }
    >
      {models.length === 0 && turns.length === 0 ? (
        <NoModels role={group.role} />
      ) : (
        <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_17rem]">
          <SettingsPanel
            models={models}
            model={model}
            onModel={chooseModel}
            settings={settings}
            onChange={(part) => {
              setSettings({ ...settings, ...part })
              store({ settings: { ...settings, ...part } })
            }}
          />
          <div className="flex min-h-[min(34rem,70dvh)] min-w-0 flex-col gap-6">
            {model !== undefined && !models.some(({ id }) => id === model) && (
              <OtherModel model={model} works={firstPriced(models)?.id} onChoose={chooseModel} />
            )}
            <div className="flex-1">
              {turns.length === 0 ? (
                <Starters onChoose={setText} />
              ) : (
                <ConversationView
                  turns={turns}
                  models={models}
                  onRetry={() => void conversation.retry(ask)}
                />
              )}
            </div>
            <Composer
              text={text}
              onText={setText}
              onSend={say}
              onStop={conversation.stop}
              isStreaming={isStreaming}
              pinned={turns.length > 0}
              canSend={text.trim() !== '' && isValid && model !== undefined}
            />
          </div>
        </div>
      )}
      {showsCode && (
        <CodeDialog
          turns={turns}
          text={text}
          ask={ask}
          groupId={group.id}
          onClose={() => setShowsCode(false)}
        />
      )}
    </Page>
  )
}

interface OtherModelProps {
  model: string
  /** One that the group can use. */
  works: string | undefined
  onChoose: (id: string) => void
}

/** A link may name a model that this group cannot use. */
function OtherModel({ model, works, onChoose }: OtherModelProps) {
  return (
    <Notice tone="warning" title={`No provider of the group lists ${model}`}>
      <p>Choose another one under Model, or add a key of its provider.</p>
      <div className="mt-2.5 mb-0.5 flex flex-wrap gap-2">
        {works !== undefined && (
          <Button size="small" onClick={() => onChoose(works)}>
            {`Use ${works}`}
          </Button>
        )}
        <Link to="/providers" className={buttonClass('plain', 'small')}>
          Open providers
        </Link>
      </div>
    </Notice>
  )
}

const storageKey = 'signalbox.playground'

interface Stored {
  model: string | undefined
  settings: Settings
}

/** The model and settings of the last visit in this browser. */
function readStored(): Stored {
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as {
      model?: unknown
      settings?: unknown
    }
    return {
      model: typeof kept.model === 'string' ? kept.model : undefined,
      settings: readSettings(kept.settings),
    }
  } catch {
    return { model: undefined, settings: readSettings(undefined) }
  }
}

function store(part: Partial<Stored>): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify({ ...readStored(), ...part }))
  } catch {
    // Without storage the choice lasts until the page is reloaded.
  }
}

/** One per group, while the dashboard is open. */
const conversations = new Map<string, Conversation>()

function useConversation(groupId: string): { turns: readonly Turn[]; conversation: Conversation } {
  const conversation = conversations.get(groupId) ?? begin(groupId)
  return { turns: useSyncExternalStore(conversation.subscribe, conversation.get), conversation }
}

function begin(groupId: string): Conversation {
  const conversation = createConversation({
    send: (call) => send({ ...call, groupId }),
    onFrame: (work) => requestAnimationFrame(work),
    now: () => performance.now(),
  })
  conversations.set(groupId, conversation)
  return conversation
}
