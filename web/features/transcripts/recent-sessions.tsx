import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { MomentText } from '../../ui/moment-text.tsx'
import { Card } from '../../ui/page.tsx'
import { sessionByKeyQuery } from './transcript-queries.ts'
import { titleOf } from './transcript-words.ts'

const shown = 5

/** Sessions by the keys that requests carry. One that no watcher has sent has no title, and is left out. */
export function RecentSessions({ groupId, keys }: { groupId: string; keys: readonly string[] }) {
  const chosen = [...new Set(keys)].slice(0, shown)
  const found = useQueries({ queries: chosen.map((key) => sessionByKeyQuery(groupId, key)) })
  const sessions = found.flatMap(({ data }) => data ?? [])
  if (sessions.length === 0) return null
  return (
    <Card title="Recent sessions">
      <ul className="space-y-2 text-sm">
        {sessions.map((session) => (
          <li key={session.id}>
            <Link
              to="/transcripts/$id"
              params={{ id: session.id }}
              className="line-clamp-2 font-medium [overflow-wrap:anywhere] hover:underline"
            >
              {titleOf(session)}
            </Link>
            {session.started_at !== null && (
              <span className="text-xs text-ink-faint">
                <MomentText time={session.started_at} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
