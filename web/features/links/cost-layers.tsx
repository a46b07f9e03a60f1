import { useQuery } from '@tanstack/react-query'
import type { Cost, CostType } from '#links/contract'
import { Dollars } from '../../ui/dollars.tsx'
import { InfoTip } from '../../ui/info-tip.tsx'
import { exactDollars, shortDollars } from '../../ui/money.ts'
import { FailureNotice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { counted } from '../../ui/quantity.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { workCostQuery } from './link-queries.ts'

interface CostLayersProps {
  groupId: string
  type: CostType
  id: string
  title?: string
}

const layers = [
  { id: 'exact', name: 'Exact', colour: 'var(--series-1)' },
  { id: 'inferred', name: 'Inferred', colour: 'var(--series-2)' },
  { id: 'shared', name: 'Shared', colour: 'var(--series-3)' },
  { id: 'unattributed', name: 'Unattributed', colour: 'var(--series-rest)' },
] as const

const rule =
  'Requests in the usage log whose session, run or stand-up is linked to it. Exact: by an ID or a person. Inferred: by a branch, a folder or a time. Shared: its part of work for several things. Unattributed: linked to nothing.'

/** What a thing cost, in layers by how sure that is. */
export function CostLayers({ groupId, type, id, title = 'Cost' }: CostLayersProps) {
  const { data, error, refetch } = useQuery(workCostQuery(groupId, type, id))
  return (
    <Card title={title} action={<InfoTip label="How the cost is calculated" text={rule} />}>
      {error && <FailureNotice error={error} onRetry={() => refetch()} />}
      {!data && !error && <Skeleton className="h-7 w-24" />}
      {data && <Layers cost={data} />}
    </Card>
  )
}

function Layers({ cost }: { cost: Cost }) {
  const shown = layers.filter(({ id }) => id !== 'unattributed' || cost[id] !== '0')
  return (
    <div className="space-y-3 text-sm">
      <p>
        <span className="text-2xl font-semibold tracking-tight" title={exactDollars(cost.total)}>
          {shortDollars(cost.total)}
        </span>{' '}
        <span className="text-ink-faint">
          {`${counted(cost.sessions, 'session')}, ${counted(cost.requests, 'request')}`}
        </span>
      </p>
      <Bar cost={cost} />
      <dl className="space-y-1">
        {shown.map(({ id, name, colour }) => (
          <div key={id} className="flex items-center gap-2">
            <span aria-hidden className="size-2.5 shrink-0 rounded-sm" style={{ background: colour }} />
            <dt className="flex-1 text-ink-soft">{name}</dt>
            <dd className="tabular-nums">
              <Dollars amount={cost[id]} />
            </dd>
          </div>
        ))}
      </dl>
      {cost.rework !== '0' && (
        <p className="border-t border-line pt-2.5 text-xs text-ink-faint">
          <Dollars amount={cost.rework} className="font-medium text-ink-soft" /> of it after a failed
          deployment
        </p>
      )}
      {cost.requests === 0 && (
        <p className="text-xs text-ink-faint">
          No request through the gateway is linked to it. Link a session or a run to see what it cost.
        </p>
      )}
    </div>
  )
}

/** Only the drawing uses floating point; every figure beside it is exact. */
function Bar({ cost }: { cost: Cost }) {
  const total = Number(cost.total)
  if (total === 0) return null
  return (
    <div aria-hidden className="flex h-2 gap-px overflow-hidden rounded-full bg-hover">
      {layers.map(({ id, colour }) => {
        const part = Number(cost[id]) / total
        return part > 0 && <span key={id} style={{ width: `${part * 100}%`, background: colour }} />
      })}
    </div>
  )
}
