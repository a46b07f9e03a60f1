import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { Group } from '#access/contract'

export function GroupList({ groups, shownId }: { groups: Group[]; shownId: string }) {
  return (
    <ul aria-label="Groups" className="-mx-1 flex gap-1 overflow-x-auto px-1 py-0.5 md:flex-col">
      {groups.map((group) => (
        <li key={group.id} className="shrink-0">
          <Link
            to="/groups"
            search={{ group: group.id }}
            aria-current={group.id === shownId ? 'true' : undefined}
            className={clsx(
              'block rounded-lg border px-3 py-2 transition-colors',
              group.id === shownId
                ? 'border-line bg-surface shadow-low'
                : 'border-transparent hover:bg-hover',
            )}
          >
            <span className="block max-w-44 truncate text-sm font-medium">{group.name}</span>
            <span className="block text-xs text-ink-faint">
              {group.members} {group.members === 1 ? 'member' : 'members'} · {group.role}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
