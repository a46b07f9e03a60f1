import type { ReactNode } from 'react'
import { clsx } from 'clsx'

interface PageProps {
  title: string
  description?: ReactNode
  actions?: ReactNode
  /** Uses the width of the window, for dense lists. */
  wide?: boolean
  children: ReactNode
}

/** The frame of a page: title, description and main actions. */
export function Page({ title, description, actions, wide, children }: PageProps) {
  return (
    <>
      <title>{`${title} · Signalbox`}</title>
      <header
        data-wide={wide ? true : undefined}
        className="mb-7 flex flex-wrap items-start justify-between gap-x-6 gap-y-4"
      >
        <div className="min-w-0 flex-1 basis-72">
          <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
          {description !== undefined && (
            <p className="mt-1 max-w-2xl text-pretty text-ink-soft">{description}</p>
          )}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </>
  )
}

interface CardProps {
  title?: string
  description?: ReactNode
  action?: ReactNode
  className?: string
  children?: ReactNode
}

export function Card({ title, description, action, className, children }: CardProps) {
  return (
    <section className={clsx('rounded-xl border border-line bg-surface p-5 shadow-low', className)}>
      {title !== undefined && (
        <div className="mb-4 flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0 flex-1 basis-40">
            <h2 className="text-base font-semibold">{title}</h2>
            {description !== undefined && <p className="mt-0.5 text-sm text-ink-soft">{description}</p>}
          </div>
          {action}
        </div>
      )}
      {children}
    </section>
  )
}
