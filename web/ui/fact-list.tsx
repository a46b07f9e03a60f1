import type { ReactNode } from 'react'

export interface Fact {
  name: string
  value: ReactNode
}

/** Names and values in two columns. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="overflow-hidden rounded-xl border border-line bg-surface text-sm shadow-low">
      {facts.map(({ name, value }) => (
        <div key={name} className="flex gap-4 border-b border-line px-4 py-2 last:border-b-0">
          <dt className="w-24 shrink-0 text-ink-faint">{name}</dt>
          <dd className="min-w-0 flex-1 [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
