import { useEffect, useRef } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { approvalsQuery } from './sql-queries.ts'

const tabs = [
  { to: '/sql', label: 'Console' },
  { to: '/sql/approvals', label: 'Approvals' },
  { to: '/sql/migrations', label: 'Migrations' },
  { to: '/sql/rules', label: 'Rules' },
  { to: '/sql/audit', label: 'Audit log' },
  { to: '/sql/databases', label: 'Databases' },
] as const

/** The pages of SQL, with the number of statements that wait. */
export function SqlTabs({ groupId }: { groupId: string }) {
  const { data: waiting = [] } = useQuery(approvalsQuery(groupId, 'pending'))
  const bar = useRef<HTMLElement>(null)
  // On a phone the last tabs begin outside the screen, and the number beside Approvals moves them further.
  useEffect(() => {
    const open = bar.current?.querySelector<HTMLElement>('[data-status=active]')
    if (!bar.current || !open) return
    // Only the bar: the reader may be far down the page.
    bar.current.scrollLeft =
      open.offsetLeft - bar.current.offsetLeft - (bar.current.clientWidth - open.offsetWidth) / 2
  }, [waiting.length])
  return (
    <nav
      ref={bar}
      aria-label="SQL"
      className="mb-5 flex gap-5 overflow-x-auto overflow-y-hidden border-b border-line"
    >
      {tabs.map(({ to, label }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: to === '/sql', includeSearch: false }}
          className={clsx(
            '-mb-px border-b-2 border-transparent pb-2 text-sm font-medium whitespace-nowrap text-ink-faint transition-colors hover:text-ink',
            'data-[status=active]:border-primary data-[status=active]:text-ink',
          )}
        >
          {label}
          {to === '/sql/approvals' && waiting.length > 0 && (
            <span className="ml-1.5 rounded-full bg-accent-soft px-1.5 py-0.5 text-xs text-accent">
              {waiting.length}
            </span>
          )}
        </Link>
      ))}
    </nav>
  )
}
