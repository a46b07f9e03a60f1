import type { ReactNode } from 'react'
import { Skeleton } from './skeleton.tsx'

interface FigureProps {
  name: string
  /** Undefined while it is loading. */
  value: ReactNode
  /** The exact value, if the shown one is rounded. */
  title?: string | undefined
  note?: ReactNode
}

/** One number with its name, inside `Figures`. */
export function Figure({ name, value, title, note }: FigureProps) {
  return (
    <div className="min-w-0 flex-[1_1_8.5rem] bg-surface px-3 py-3 sm:px-4">
      <dt className="truncate text-xs text-ink-faint">{name}</dt>
      <dd className="mt-0.5 text-lg font-semibold tracking-tight sm:text-xl" title={title}>
        {value === undefined ? <Skeleton className="my-1 h-5 w-20" /> : value}
      </dd>
      <dd className="min-h-4.5 text-xs [overflow-wrap:anywhere] text-ink-faint">{note}</dd>
    </div>
  )
}

/** A row of figures that wraps on narrow screens. */
export function Figures({ label, children }: { label: string; children: ReactNode }) {
  return (
    <dl
      aria-label={label}
      className="flex flex-wrap gap-px overflow-hidden rounded-xl border border-line bg-line shadow-low"
    >
      {children}
    </dl>
  )
}
