import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { Card } from '../../../ui/page.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useHappened, type Happening } from './happened.ts'

/** Deployments, incidents, stand-ups and sessions in one list; not shown where there are none. */
export function Timeline({ groupId }: { groupId: string }) {
  const happened = useHappened(groupId)
  if (happened?.length === 0) return null
  return (
    <Card title="What happened">
      {happened ? (
        <ol className="relative before:absolute before:inset-y-3 before:left-3 before:w-px before:bg-line">
          {happened.map((each) => (
            <Entry key={`${each.what} ${each.id}`} happening={each} />
          ))}
        </ol>
      ) : (
        <Skeleton className="h-40" />
      )}
    </Card>
  )
}

function Entry({ happening: { icon: Icon, what, title, note, time, isBad, go } }: { happening: Happening }) {
  return (
    <li className="relative">
      <Link
        to={go.to}
        {...(go.search && { search: go.search })}
        className="group flex items-start gap-3 rounded-lg py-1.5"
      >
        <span
          className={clsx(
            'z-1 grid size-6 shrink-0 place-items-center rounded-full border bg-surface',
            isBad ? 'border-danger/40 text-danger' : 'border-line text-ink-faint',
          )}
        >
          <Icon aria-hidden className="size-3.5" />
        </span>
        <span className="min-w-0 flex-1 pt-0.5 sm:flex sm:items-baseline sm:gap-2">
          <span className="line-clamp-2 text-sm font-medium [overflow-wrap:anywhere] group-hover:underline sm:line-clamp-1">
            {title}
          </span>
          <span className={clsx('block shrink-0 text-xs', isBad ? 'text-danger' : 'text-ink-faint')}>
            {note === '' ? what : `${what}, ${note}`}
          </span>
        </span>
        <span className="shrink-0 pt-1 text-xs text-ink-faint">
          <MomentText time={time} />
        </span>
      </Link>
    </li>
  )
}
