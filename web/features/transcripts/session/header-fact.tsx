import type { ReactNode } from 'react'
import type { LucideIcon } from 'lucide-react'

interface FactProps {
  icon?: LucideIcon
  title?: string | undefined
  children: ReactNode
}

/** One piece of the line below the title. */
export function Fact({ icon: Icon, title, children }: FactProps) {
  return (
    <span title={title} className="inline-flex min-w-0 items-center gap-1.5 whitespace-nowrap">
      {Icon && <Icon aria-hidden className="size-3.5 shrink-0 text-ink-faint" />}
      <span className="max-w-56 truncate">{children}</span>
    </span>
  )
}
