import type { ReactNode } from 'react'
import { ChevronRight } from 'lucide-react'

/** A title that opens and closes its content. */
export function Disclosure({
  title,
  open,
  children,
}: {
  title: string
  open?: boolean
  children: ReactNode
}) {
  return (
    <details open={open} className="group/fold rounded-lg border border-line bg-sunken">
      <summary className="flex list-none items-center gap-2 px-3 py-2 text-xs font-medium text-ink-soft select-none hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-3.5 text-ink-faint transition-transform group-open/fold:rotate-90"
        />
        {title}
      </summary>
      <div className="max-h-80 overflow-y-auto border-t border-line px-3 py-2.5 [overflow-wrap:anywhere]">
        {children}
      </div>
    </details>
  )
}
