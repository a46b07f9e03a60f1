import { useQuery } from '@tanstack/react-query'
import type { Provider } from '#vault/contract'
import { keysOf, providersQuery } from '../../../api/providers.ts'
import { stateOfProvider } from '../../providers/index.ts'

export interface ProviderState {
  /** Undefined while they are loading. */
  providers: Provider[] | undefined
  hasKey: boolean
  /** A provider has accepted the key that would be used. */
  isWorking: boolean
}

/** Asked again and again until a key works: a key may also come from elsewhere. */
export function useProviderState(groupId: string, isDone: boolean): ProviderState {
  const { data } = useQuery({
    ...providersQuery(groupId),
    refetchInterval: ({ state }) => (isDone || anyWorks(state.data) ? false : 4000),
  })
  return {
    providers: data,
    hasKey: data?.some((provider) => keysOf(provider).length > 0) ?? false,
    isWorking: anyWorks(data),
  }
}

const anyWorks = (providers: readonly Provider[] | undefined): boolean =>
  providers?.some((provider) => stateOfProvider(provider) === 'working') ?? false
