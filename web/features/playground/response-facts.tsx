import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import type { Model } from '#gateway/contract'
import { CopyButton } from '../../ui/copy-button.tsx'
import { costOf } from './cost.ts'
import type { AssistantTurn, Usage } from './types.ts'
import { durationText } from '../../ui/quantity.ts'

const count = new Intl.NumberFormat('en')

/** Tokens, cost and duration of a response, and a link to its log record. */
export function ResponseFacts({ turn, model }: { turn: AssistantTurn; model: Model | undefined }) {
  const { usage, firstTokenMs, totalMs, requestId, state } = turn
  if (state === 'streaming') return null
  return (
    <dl className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-ink-faint">
      {state === 'stopped' && <Fact name="Ended">stopped</Fact>}
      {usage && <Tokens usage={usage} />}
      {usage && <Cost usage={usage} model={model} />}
      {firstTokenMs !== null && <Fact name="First token">{durationText(firstTokenMs)}</Fact>}
      {totalMs !== null && <Fact name="Total">{durationText(totalMs)}</Fact>}
      {requestId !== null && (
        <div className="flex min-w-0 items-center gap-1.5">
          <dt>Request</dt>
          <dd className="flex min-w-0 items-center gap-0.5">
            <Link
              to="/logs"
              search={{ request: requestId }}
              title={`Show ${requestId} in logs`}
              className="truncate font-mono text-ink-soft underline decoration-line-strong underline-offset-2 hover:decoration-ink"
            >
              {requestId.slice(0, 13)}
            </Link>
            <CopyButton text={requestId} what="request ID" className="size-6" />
          </dd>
        </div>
      )}
    </dl>
  )
}

function Tokens({ usage }: { usage: Usage }) {
  return (
    <>
      <Fact name="In">
        {count.format(usage.input)}
        {usage.cached > 0 && <span className="text-ink-faint"> ({count.format(usage.cached)} cached)</span>}
      </Fact>
      <Fact name="Out">
        {count.format(usage.output)}
        {usage.reasoning > 0 && (
          <span className="text-ink-faint"> ({count.format(usage.reasoning)} reasoning)</span>
        )}
      </Fact>
    </>
  )
}

function Cost({ usage, model }: { usage: Usage; model: Model | undefined }) {
  const cost = costOf(usage, model)
  const note = 'Cached tokens have a separate price. The logs show the exact cost.'
  return (
    <Fact name="Cost" {...(usage.cached > 0 && cost !== undefined ? { note } : {})}>
      {cost ?? 'price unknown'}
    </Fact>
  )
}

function Fact({ name, note, children }: { name: string; note?: string; children: ReactNode }) {
  return (
    <div className="flex items-center gap-1.5 whitespace-nowrap" title={note}>
      <dt>{name}</dt>
      <dd className="font-medium text-ink-soft">{children}</dd>
    </div>
  )
}
