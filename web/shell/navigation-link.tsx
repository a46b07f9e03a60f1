import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Pin, PinOff } from 'lucide-react'
import type { NavigationEntry } from './feature.ts'
import { countLabel } from './title-count.ts'

/** What needs attention there. */
export interface EntryCount {
  things: number
  isSevere: boolean
}

interface NavigationLinkProps {
  entry: NavigationEntry
  count: EntryCount
  isCurrent: boolean
  isPinned: boolean
  onPin: (() => void) | undefined
}

export function NavigationLink({ entry, count, isCurrent, isPinned, onPin }: NavigationLinkProps) {
  const to = entry.page.to as string
  const PinIcon = isPinned ? PinOff : Pin
  const pinLabel = `${isPinned ? 'Unpin' : 'Pin'} ${entry.label}`
  return (
    <li className="group/entry relative">
      <Link
        to={to}
        activeOptions={{ exact: true, includeSearch: false }}
        // Also on the pages within it, unless they have entries of their own.
        aria-current={isCurrent ? 'page' : undefined}
        className={clsx(
          'group relative flex h-9 items-center gap-2.5 rounded-lg pr-2 pl-7 text-sm font-medium text-ink-soft -outline-offset-2 transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:text-ink lg:h-7.5',
          onPin && 'max-lg:pr-10',
        )}
      >
        <span
          aria-hidden
          className="absolute left-[0.5625rem] size-[0.4375rem] rounded-full border border-line-strong bg-canvas transition-colors group-hover:border-ink-faint group-aria-[current=page]:border-primary group-aria-[current=page]:bg-primary group-aria-[current=page]:shadow-[0_0_0_3px_color-mix(in_srgb,var(--primary)_28%,transparent)]"
        />
        <entry.icon
          aria-hidden
          className="size-4 shrink-0 text-ink-faint group-aria-[current=page]:text-ink"
        />
        <span className="min-w-0 flex-1 truncate">{entry.label}</span>
        {count.things > 0 && (
          <span
            className={clsx(
              'shrink-0 rounded-full px-1.5 text-xs leading-5 font-semibold tabular-nums',
              count.isSevere ? 'bg-danger-soft text-danger' : 'bg-accent-soft text-accent',
              onPin && 'lg:group-focus-within/entry:mr-5 lg:group-hover/entry:mr-5',
            )}
          >
            {countLabel(count.things)}
            {entry.counts?.word !== undefined && ` ${entry.counts.word}`}
          </span>
        )}
      </Link>
      {onPin && (
        <button
          type="button"
          title={pinLabel}
          onClick={onPin}
          className="absolute top-0.5 right-1 grid size-8 place-items-center rounded-md text-ink-faint opacity-50 hover:text-ink focus-visible:opacity-100 lg:top-1 lg:size-5.5 lg:opacity-0 lg:group-hover/entry:opacity-100 lg:focus-visible:opacity-100"
        >
          <PinIcon aria-hidden className="size-3.5" />
        </button>
      )}
    </li>
  )
}
