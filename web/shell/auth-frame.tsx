import type { ReactNode } from 'react'
import { GatewayDiagram } from '../ui/gateway-diagram.tsx'
import { Wordmark } from '../ui/logo.tsx'

/** The frame of the pages outside the shell: sign-in and joining a group. */
export function AuthFrame({
  title,
  lead,
  children,
}: {
  title: string
  lead: ReactNode
  children: ReactNode
}) {
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <title>{`${title} · Signalbox`}</title>
      <main className="flex flex-col bg-surface px-6 py-6 sm:px-10">
        <Wordmark />
        <div className="mx-auto flex w-full max-w-sm flex-1 flex-col justify-center py-12">
          <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
          <div className="mt-1.5 mb-7 text-ink-soft">{lead}</div>
          {children}
        </div>
      </main>
      <div className="relative hidden overflow-hidden border-l border-line bg-canvas lg:block">
        <GatewayDiagram active={false} className="absolute top-1/2 left-0 w-full -translate-y-1/2" />
        <p className="absolute inset-x-10 bottom-10 text-sm text-ink-soft">
          A self-hosted LLM gateway and engineering console for teams.
        </p>
      </div>
    </div>
  )
}
