import type { ReactNode } from 'react'
import { clsx } from 'clsx'
import { ChevronRight, type LucideIcon } from 'lucide-react'
import { useFold } from './fold-state.ts'

interface FoldProps {
  id: string
  icon: LucideIcon
  label: string
  /** The beginning of what is inside, on the same line. */
  excerpt?: string
  isOpenAtFirst?: boolean
  /** At the end of the line. */
  extra?: ReactNode
  children: ReactNode
}

/** One grey line that opens: for what is rarely read. */
export function Fold({ id, icon: Icon, label, excerpt, isOpenAtFirst = false, extra, children }: FoldProps) {
  const [isOpen, toggle] = useFold(id, isOpenAtFirst)
  return (
    <div>
      <div className="flex items-center gap-1 text-xs text-ink-faint">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={toggle}
          className="flex min-h-6 min-w-0 flex-1 items-center gap-1.5 rounded-md text-left hover:text-ink"
        >
          <ChevronRight
            aria-hidden
            className={clsx('size-3.5 shrink-0 transition-transform', isOpen && 'rotate-90')}
          />
          <Icon aria-hidden className="size-3.5 shrink-0" />
          <span className="shrink-0 font-medium">{label}</span>
          {!isOpen && excerpt !== undefined && <span className="min-w-0 truncate">{excerpt}</span>}
        </button>
        {extra}
      </div>
      {isOpen && <div className="mt-1.5 pl-5">{children}</div>}
    </div>
  )
}
