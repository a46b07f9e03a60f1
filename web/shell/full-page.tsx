import type { ReactNode } from 'react'
import { Logo } from '../ui/logo.tsx'

/** A page for one message, such as a missing page or an error. */
export function FullPage({ code, title, children }: { code: string; title: string; children: ReactNode }) {
  return (
    <div className="grid min-h-[80dvh] place-items-center px-6 py-16 text-center">
      <title>{`${title} · Signalbox`}</title>
      <div className="max-w-md text-ink-soft">
        <Logo stop className="mx-auto size-14 text-ink" />
        <p className="mt-5 font-mono text-xs text-ink-faint">{code}</p>
        <h1 className="mt-1 mb-2 text-2xl font-semibold tracking-tight text-ink">{title}</h1>
        {children}
      </div>
    </div>
  )
}
