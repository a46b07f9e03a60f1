import { getRouteApi } from '@tanstack/react-router'
import type { ApiKey } from '#access/contract'
import { SearchInput } from '../../ui/input.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { countStates } from './key-list.ts'
import { readKeysAddress } from './keys-address.ts'

const route = getRouteApi('/shell/keys')

/** The filter is part of the address, so that a filtered list can be shared. */
export function KeyFilter({ keys }: { keys: ApiKey[] }) {
  const { q, state } = route.useSearch()
  const navigate = route.useNavigate()
  const show = (part: Record<string, unknown>) =>
    void navigate({ search: (before) => readKeysAddress({ ...before, ...part }), replace: true })
  const counts = countStates(keys, Date.now())
  return (
    <div className="flex flex-col gap-3 sm:flex-row sm:items-center">
      <SearchInput
        label="Filter by name, value or scope"
        className="sm:w-72"
        value={q ?? ''}
        onChange={(event) => show({ q: event.target.value })}
      />
      <Segmented
        label="Status"
        value={state ?? 'all'}
        onChange={(choice) => show({ state: choice })}
        choices={[
          { id: 'all', label: 'All', count: keys.length },
          { id: 'active', label: 'Active', count: counts.active },
          { id: 'expired', label: 'Expired', count: counts.expired },
          { id: 'revoked', label: 'Revoked', count: counts.revoked },
        ]}
      />
    </div>
  )
}
