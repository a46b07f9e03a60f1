import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { EllipsisVertical, Pencil, Route as Signpost, Trash2 } from 'lucide-react'
import type { NamedRoute, RouteTarget } from '#gateway/contract'
import type { RouteShare } from '#usage/contract'
import { keysOf, providersQuery } from '../../api/providers.ts'
import { mayManage, type CurrentGroup } from '../../api/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { counted } from '../../ui/quantity.ts'
import { sharesQuery } from './route-queries.ts'
import { conditionWords, strategyWords } from './route-words.ts'

interface RouteCardProps {
  route: NamedRoute
  group: CurrentGroup
  onAct: (what: 'edit' | 'explain' | 'delete') => void
}

export function RouteCard({ route, group, onAct }: RouteCardProps) {
  const { data: providers = [] } = useQuery(providersQuery(group.id))
  const { data: shares = [] } = useQuery(sharesQuery(group.id))
  const own = shares.filter((share) => share.route === route.name)
  const requests = own.reduce((sum, share) => sum + share.requests, 0)
  const keyNames = new Map(providers.flatMap(keysOf).map(({ id, name }) => [id, name]))
  return (
    <section
      aria-label={route.name}
      className="overflow-hidden rounded-xl border border-line bg-surface shadow-low"
    >
      <header className="flex items-start gap-3 px-4 py-4 sm:px-5">
        <div className="min-w-0 flex-1">
          <div className="flex min-h-8 flex-wrap items-center gap-x-2 gap-y-1">
            <h2 className="min-w-0 font-mono text-base font-semibold break-all">{route.name}</h2>
            <CopyButton text={route.name} what="name" />
            <Badge>{strategyWords[route.strategy].label}</Badge>
          </div>
          <p className="text-sm text-ink-soft [overflow-wrap:anywhere]">
            {route.description || strategyWords[route.strategy].hint}
          </p>
          <p className="mt-0.5 text-xs text-ink-faint">
            {route.name === 'default' && 'also for requests without a model · '}
            {limitsInWords(route)} ·{' '}
            {requests === 0 ? (
              'no requests today'
            ) : (
              <Link to="/logs" search={{ route: route.name }} className="underline underline-offset-2">
                {counted(requests, 'request')} today
              </Link>
            )}
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
      <ol className="divide-y divide-line border-t border-line">
        {route.targets.map((target, index) => (
          <TargetRow
            key={index}
            number={index + 1}
            target={target}
            weights={
              route.strategy === 'weighted'
                ? route.targets.reduce((sum, { weight = 1 }) => sum + weight, 0)
                : undefined
            }
            share={requests === 0 ? undefined : (100 * answered(target, own)) / requests}
            keyName={target.provider_key_id ? (keyNames.get(target.provider_key_id) ?? 'deleted') : undefined}
          />
        ))}
      </ol>
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

/** The log names models without their provider's word. */
const answered = ({ model }: RouteTarget, shares: readonly RouteShare[]): number =>
  shares
    .filter((share) => model === share.model || model.endsWith(`/${share.model}`))
    .reduce((sum, { requests }) => sum + requests, 0)

interface TargetRowProps {
  number: number
  target: RouteTarget
  /** All weights together, where they count. */
  weights: number | undefined
  /** Of today's requests, in percent. */
  share: number | undefined
  keyName: string | undefined
}

function TargetRow({ number, target, weights, share, keyName }: TargetRowProps) {
  const conditions = conditionWords(target.when)
  return (
    <li className="grid grid-cols-[1.25rem_minmax(0,1fr)_auto] items-baseline gap-x-3 px-4 py-2.5 text-sm sm:px-5">
      <span className="text-xs text-ink-faint tabular-nums">{number}</span>
      <div className="min-w-0">
        <p className="font-mono break-all">{target.model}</p>
        {(conditions.length > 0 || keyName !== undefined) && (
          <p className="mt-0.5 text-xs text-ink-faint [overflow-wrap:anywhere]">
            {[...conditions, ...(keyName === undefined ? [] : [`with the key ${keyName}`])].join(' · ')}
          </p>
        )}
      </div>
      <div className="text-right text-xs text-ink-faint tabular-nums">
        {share !== undefined && <ShareBar percent={share} model={target.model} />}
        {weights !== undefined && <p>{Math.round((100 * (target.weight ?? 1)) / weights)} % by weight</p>}
      </div>
    </li>
  )
}

function ShareBar({ percent, model }: { percent: number; model: string }) {
  return (
    <p className="flex items-center justify-end gap-2 text-sm text-ink-soft">
      <span
        aria-hidden
        className="hidden h-1.5 w-24 overflow-hidden rounded-full bg-hover sm:block"
        title={`Share of today's requests that ${model} answered`}
      >
        <span className="block h-full rounded-full bg-primary" style={{ width: `${percent.toFixed(1)}%` }} />
      </span>
      <span className="w-11" title="Share of today's requests">
        {Math.round(percent)} %
      </span>
    </p>
  )
}
