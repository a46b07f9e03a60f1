import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { NamedRoute, RouteTarget } from '#gateway/contract'
import type { RouteShare } from '#usage/contract'
import { keysOf, providersQuery } from '../../api/providers.ts'
import { sharesQuery } from './route-queries.ts'
import { conditionWords } from './route-words.ts'

/** Who answered the requests of today to a route. */
export function useOwnShares(groupId: string, name: string) {
  const { data: shares = [] } = useQuery(sharesQuery(groupId))
  const own = shares.filter((share) => share.route === name)
  return { own, requests: own.reduce((sum, share) => sum + share.requests, 0) }
}

/** The models behind a route, each with its share of today's requests. */
export function TargetRows({ groupId, route }: { groupId: string; route: NamedRoute }) {
  const { data: providers = [] } = useQuery(providersQuery(groupId))
  const { own, requests } = useOwnShares(groupId, route.name)
  const keyNames = new Map(providers.flatMap(keysOf).map(({ id, name }) => [id, name]))
  return (
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
  )
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
        <p className="font-mono break-all">
          <Link to="/models/$" params={{ _splat: target.model }} className="hover:underline">
            {target.model}
          </Link>
        </p>
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
