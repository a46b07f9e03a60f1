import { Link } from '@tanstack/react-router'
import type { DevlogsReport } from '#analytics/contract'
import { devlogsLink } from './links.ts'

interface AuthorSharesProps {
  rows: readonly DevlogsReport['by_service'][number][]
  period: DevlogsReport['period']
}

/** Per service a bar with the part of people and the part of AI. */
export function AuthorShares({ rows, period }: AuthorSharesProps) {
  const largest = Math.max(1, ...rows.map(({ total }) => total))
  return (
    <ul className="space-y-2.5 text-sm">
      {rows.map(({ service, human, ai }) => (
        <li key={service ?? ''}>
          <p className="mb-1 flex justify-between gap-4">
            <span className="min-w-0 truncate font-medium">
              {service === null ? (
                'No service'
              ) : (
                <Link {...devlogsLink(period, { service })} className="hover:underline">
                  {service}
                </Link>
              )}
            </span>
            <span className="text-xs whitespace-nowrap text-ink-soft">
              {human} human · {ai} AI
            </span>
          </p>
          <div className="flex h-2 overflow-hidden rounded-full bg-hover" aria-hidden>
            <span style={{ width: `${(human / largest) * 100}%`, background: 'var(--series-1)' }} />
            <span style={{ width: `${(ai / largest) * 100}%`, background: 'var(--series-4)' }} />
          </div>
        </li>
      ))}
    </ul>
  )
}
