import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ByProvider } from '#usage/contract'
import type { Provider } from '#vault/contract'
import { keysOf, providersQuery } from '../../../api/providers.ts'
import { byProviderQuery } from '../../../api/usage-queries.ts'
import { Card } from '../../../ui/page.tsx'
import { counted, durationText, percentText } from '../../../ui/quantity.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { keyInUse, providerWords, stateOfProvider, statuses } from '../../providers/index.ts'

interface ProviderHealthProps {
  groupId: string
  period: { start_date: string; end_date: string }
}

/** Whether the keys in use work, and how the providers did. */
export function ProviderHealth({ groupId, period: { start_date, end_date } }: ProviderHealthProps) {
  const { data } = useQuery({ ...providersQuery(groupId), refetchInterval: 30_000 })
  const { data: sums = [] } = useQuery(byProviderQuery(groupId, { start_date, end_date }))
  const used = data?.filter((provider) => keysOf(provider).length > 0)
  if (used?.length === 0) return null
  return (
    <Card
      title="Providers"
      action={
        <Link to="/providers" className="text-sm text-accent hover:underline">
          Manage keys
        </Link>
      }
    >
      {!used && <Skeleton className="h-16" />}
      <ul className="divide-y divide-line">
        {used?.map((provider) => (
          <ProviderLine
            key={provider.id}
            provider={provider}
            sums={sums.find((each) => each.provider === provider.id)}
          />
        ))}
      </ul>
    </Card>
  )
}

function ProviderLine({ provider, sums }: { provider: Provider; sums: ByProvider | undefined }) {
  const state = stateOfProvider(provider)
  const error = state === 'failed' ? (keyInUse(provider)?.last_error ?? null) : null
  return (
    <li className="py-2 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
        <ProviderLink provider={provider} />
        <StatusDot status={statuses[state]}>{providerWords[state]}</StatusDot>
      </div>
      <p className="text-xs text-ink-faint">{sums ? figuresOf(sums) : 'No requests in this period'}</p>
      {error !== null && <p className="mt-1 text-xs [overflow-wrap:anywhere] text-danger">{error}</p>}
    </li>
  )
}

/** To the key that its requests use. */
function ProviderLink({ provider }: { provider: Provider }) {
  const look = 'min-w-0 truncate font-medium'
  const key = keyInUse(provider)
  return key ? (
    <Link to="/providers/keys/$id" params={{ id: key.id }} className={`${look} hover:underline`}>
      {provider.name}
    </Link>
  ) : (
    <span className={look}>{provider.name}</span>
  )
}

function figuresOf({ requests, errors, avg_duration_ms }: ByProvider): string {
  const failed = requests === 0 ? '' : `, ${percentText(errors / requests)} failed`
  const time = avg_duration_ms === null ? '' : `, ${durationText(avg_duration_ms)} on average`
  return `${counted(requests, 'request')}${failed}${time}`
}
