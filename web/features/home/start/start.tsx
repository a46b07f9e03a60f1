import { useState, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ArrowRight, Check } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { Welcome } from '#access/contract'
import type { UsageSums } from '#usage/contract'
import { modelsQuery } from '../../../api/models.ts'
import type { CurrentGroup } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { GatewayDiagram } from '../../../ui/gateway-diagram.tsx'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { failuresQuery } from '../../../api/usage-queries.ts'
import { Notice } from '../../../ui/notice.tsx'
import { NextSteps } from '../next-steps.tsx'
import { ProviderStep } from './provider-step.tsx'
import { useQuickKey } from './quick-key.ts'
import { firstModel, snippetsFor } from './snippets.ts'
import { useProviderState } from './use-provider-state.ts'
import { AddressRow, KeyRow } from './value-rows.tsx'

interface StartProps {
  group: CurrentGroup
  welcome: Welcome
  sums: UsageSums
  /** Whether a request has succeeded. */
  isWorking: boolean
  onLeave: () => void
}

/** From a fresh installation to the first request that succeeds. */
export function Start({ group, welcome, sums, isWorking, onLeave }: StartProps) {
  const quick = useQuickKey(group.id)
  const provider = useProviderState(group.id, isWorking)
  const { data: models = [] } = useQuery({ ...modelsQuery(group.id), enabled: provider.hasKey })
  const key = quick.value ?? welcome.first_key
  return (
    <>
      <title>Signalbox</title>
      <Hero
        state={isWorking ? 'working' : sums.requests > 0 ? 'failing' : 'waiting'}
        action={
          isWorking && (
            <Button look="primary" icon={ArrowRight} onClick={onLeave}>
              Open overview
            </Button>
          )
        }
      />
      <SetupSteps>
        <SetupStep number={1} title="Add a provider key" isDone={provider.isWorking || isWorking}>
          <ProviderStep group={group} {...provider} />
        </SetupStep>
        <SetupStep number={2} title="Set the base URL and the API key in your client" isDone={isWorking}>
          <div className="space-y-4">
            <AddressRow baseUrl={welcome.base_url} />
            <KeyRow value={key} create={quick.create} />
          </div>
        </SetupStep>
        <SetupStep number={3} title="Send a request" isDone={isWorking} last>
          <FirstCall baseUrl={welcome.base_url} apiKey={key} model={firstModel(models)} />
          {!isWorking && sums.requests > 0 && <LastFailure groupId={group.id} />}
        </SetupStep>
      </SetupSteps>
      <NextSteps groupId={group.id} isUsed={isWorking} />
    </>
  )
}

interface FirstCallProps {
  baseUrl: string
  apiKey: string | null
  model: string
}

function FirstCall({ baseUrl, apiKey, model }: FirstCallProps) {
  const [language, setLanguage] = useState('curl')
  const tabs = snippetsFor(baseUrl, apiKey, model).map((snippet) => ({
    id: snippet.id,
    label: snippet.label,
    content: (
      <CodeBlock source={snippet.source} language={snippet.language} what={`${snippet.label} snippet`} />
    ),
  }))
  return <Tabs label="Language" tabs={tabs} value={language} onChange={setLanguage} />
}

const words = {
  waiting: 'Waiting for the first request',
  failing: 'Requests arrive, but none has succeeded yet',
  working: 'Receiving requests',
} as const

interface HeroProps {
  state: keyof typeof words
  action: ReactNode
}

function Hero({ state, action }: HeroProps) {
  return (
    <header className="relative overflow-hidden rounded-2xl border border-line bg-surface p-6 shadow-low sm:p-8">
      <GatewayDiagram
        active={state === 'working'}
        className="absolute inset-y-0 right-0 hidden h-full w-1/2 md:block"
      />
      <div className="relative max-w-md">
        <p className="text-sm font-medium text-ink-soft" role="status">
          <StatusDot status={state === 'working' ? 'ok' : 'warning'} blinking={state !== 'working'}>
            {words[state]}
          </StatusDot>
        </p>
        <h1 className="mt-3 text-2xl font-semibold tracking-tight">Signalbox is running</h1>
        <p className="mt-1.5 text-pretty text-ink-soft">
          A self-hosted LLM gateway and engineering console for teams. Point your apps and agents at it, and
          every request is logged with its tokens, duration and cost.
        </p>
        {action && <div className="mt-4">{action}</div>}
      </div>
    </header>
  )
}

/** Requests arrive and fail: the reason of the last one, where the reader waits for a success. */
function LastFailure({ groupId }: { groupId: string }) {
  const { data } = useQuery({ ...failuresQuery(groupId, 1), refetchInterval: 4000 })
  const [row] = data ?? []
  if (!row) return null
  return (
    <div className="mt-4">
      <Notice tone="warning" title={`The last request returned ${row.status_code}`}>
        <p className="[overflow-wrap:anywhere]">{`${row.model}: ${row.error_message ?? 'no reason given'}`}</p>
        <Link
          to="/logs"
          search={{ request: row.request_id }}
          className="text-accent underline underline-offset-2"
        >
          Open the request
        </Link>
      </Notice>
    </div>
  )
}

/** Numbered steps, joined by a line. */
function SetupSteps({ children }: { children: ReactNode }) {
  return <ol className="mt-10">{children}</ol>
}

interface SetupStepProps {
  number: number
  title: string
  last?: boolean
  isDone?: boolean
  children: ReactNode
}

function SetupStep({ number, title, last, isDone, children }: SetupStepProps) {
  return (
    <li className="relative pb-9 pl-11 last:pb-0">
      {!last && <span aria-hidden className="absolute top-7 bottom-0 left-[0.8125rem] w-0.5 bg-line" />}
      <span
        aria-hidden
        className={clsx(
          'absolute top-0 left-0 grid size-7 place-items-center rounded-full border-2 text-xs font-semibold',
          isDone ? 'border-success-strong bg-success-soft text-success' : 'border-primary bg-surface',
        )}
      >
        {isDone ? <Check className="size-4" /> : number}
      </span>
      <h2 className="mb-3 pt-0.5 text-base font-semibold">
        {title}
        {isDone && <span className="sr-only"> (done)</span>}
      </h2>
      {children}
    </li>
  )
}
