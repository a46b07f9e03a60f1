import { useQuery } from '@tanstack/react-query'
import type { ByKey, ByModel, ByProvider, UsageFilter } from '#usage/contract'
import { modelName } from '../../ui/model-name.ts'
import { providerName } from '../../ui/provider-name.ts'
import { keyName } from '../../ui/usage-filter-selects.tsx'
import { ShareBars, type Share } from './share-bars.tsx'
import { byKeyQuery, byModelQuery, byProviderQuery } from '../../api/usage-queries.ts'

/** What one model has of the requests of a filter. */
export const modelShare = (filter: UsageFilter, sums: ByModel): Share => ({
  name: modelName(sums.model),
  filter: { ...filter, model: sums.model, ...(sums.provider !== null && { provider: sums.provider }) },
  sums,
  ...(sums.provider !== null && { note: providerName(sums.provider) }),
})

/** The spend of a period by model, provider and key. */
export function Shares({ groupId, filter }: { groupId: string; filter: UsageFilter }) {
  const models = useQuery(byModelQuery(groupId, filter)).data
  const providers = useQuery(byProviderQuery(groupId, filter)).data
  const keys = useQuery(byKeyQuery(groupId, filter)).data
  const empty = 'No requests in this period.'
  const ofProvider = (sums: ByProvider & { provider: string }): Share => ({
    name: providerName(sums.provider),
    filter: { ...filter, provider: sums.provider },
    sums,
  })
  const ofKey = (sums: ByKey): Share => ({
    name: keyName(sums),
    filter: { ...filter, api_key_id: sums.api_key_id ?? 'none' },
    sums,
  })
  const known = providers?.filter((sums): sums is ByProvider & { provider: string } => sums.provider !== null)
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
      <ShareBars
        title="By model"
        description="Cost and share of the total"
        shares={models?.map((sums) => modelShare(filter, sums))}
        empty={empty}
      />
      <div className="grid grid-cols-1 gap-4">
        <ShareBars
          title="By provider"
          description="Cost and share of the total"
          shares={known?.map(ofProvider)}
          empty={empty}
        />
        <ShareBars
          title="By key"
          description="Cost and share of the total"
          shares={keys?.map(ofKey)}
          empty={empty}
        />
      </div>
    </div>
  )
}
