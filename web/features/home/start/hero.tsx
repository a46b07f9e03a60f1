import type { ReactNode } from 'react'
import { GatewayDiagram } from '../../../ui/gateway-diagram.tsx'
import { StatusDot } from '../../../ui/status-dot.tsx'

const words = {
  waiting: 'Waiting for the first request',
  failing: 'Requests arrive, but none has succeeded yet',
  working: 'Receiving requests',
} as const

interface HeroProps {
  state: keyof typeof words
  action: ReactNode
}

export function Hero({ state, action }: HeroProps) {
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
