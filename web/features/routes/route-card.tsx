import { Link } from '@tanstack/react-router'
import { EllipsisVertical, Pencil, Route as Signpost, Trash2 } from 'lucide-react'
import type { NamedRoute } from '#gateway/contract'
import { mayManage, type CurrentGroup } from '../../api/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { strategyWords } from './route-words.ts'
import { TargetRows, useOwnShares } from './target-rows.tsx'

interface RouteCardProps {
  route: NamedRoute
  group: CurrentGroup
  onAct: (what: 'edit' | 'explain' | 'delete') => void
}

export function RouteCard({ route, group, onAct }: RouteCardProps) {
  const requests = useOwnShares(group.id, route.name).requests
  return (
    <section
      aria-label={route.name}
      className="overflow-hidden rounded-xl border border-line bg-surface shadow-low"
    >
      <header className="flex items-start gap-3 px-4 py-4 sm:px-5">
        <div className="min-w-0 flex-1">
          <div className="flex min-h-8 flex-wrap items-center gap-x-2 gap-y-1">
            <h2 className="min-w-0 font-mono text-base font-semibold break-all">
              <Link to="/routes/$name" params={{ name: route.name }} className="hover:underline">
                {route.name}
              </Link>
            </h2>
            <CopyButton text={route.name} what="name" />
            <Badge>{strategyWords[route.strategy].label}</Badge>
          </div>
          <p className="text-sm text-ink-soft [overflow-wrap:anywhere]">
            {route.description || strategyWords[route.strategy].hint}
          </p>
          <p className="mt-0.5 text-xs text-ink-faint">
            {route.name === 'default' && 'also for requests without a model · '}
            {limitsInWords(route)} · {requestsInWords(requests)}
          </p>
        </div>
        <div className="flex items-center gap-1">
          <Button size="small" icon={Signpost} onClick={() => onAct('explain')}>
            Dry run
          </Button>
          {mayManage(group.role) && (
            <Menu trigger={<IconButton label={`Actions for ${route.name}`} icon={EllipsisVertical} />}>
              <MenuItem icon={Pencil} onSelect={() => onAct('edit')}>
                Edit route
              </MenuItem>
              <MenuLine />
              <MenuItem icon={Trash2} danger onSelect={() => onAct('delete')}>
                Delete route
              </MenuItem>
            </Menu>
          )}
        </div>
      </header>
      <TargetRows groupId={group.id} route={route} />
    </section>
  )
}

function limitsInWords({ attempts, timeout_ms: time, first_token_timeout_ms: first }: NamedRoute): string {
  return [
    attempts === 1 ? '1 attempt' : `up to ${attempts} attempts`,
    ...(time === null ? [] : [`${time / 1000} s for a request`]),
    ...(first === null ? [] : [`${first / 1000} s to the first token`]),
  ].join(' · ')
}

const count = new Intl.NumberFormat('en')

const requestsInWords = (requests: number): string =>
  requests === 0
    ? 'no requests today'
    : `${count.format(requests)} ${requests === 1 ? 'request' : 'requests'} today`
