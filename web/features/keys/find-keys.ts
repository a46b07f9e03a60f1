import { KeyRound } from 'lucide-react'
import type { ApiKey } from '#access/contract'
import { keysQuery } from '../../api/keys.ts'
import { mayUse, type Find, type FindPlace } from '../../shell/feature.ts'
import { selectKeys } from './key-list.ts'

const keysOf = ({ groupId, queryClient }: FindPlace): Promise<ApiKey[]> =>
  queryClient.ensureQueryData(keysQuery(groupId))

const found = ({ id, name }: ApiKey) => ({
  ...{ id, label: name, kind: 'Key', icon: KeyRound },
  go: { to: `/keys/${id}` },
})

/** Keys by name, or by how they begin or end. */
export const findKeys: Find = async (text, place) =>
  (await keysOf(place))
    .filter(({ name, key_prefix, key_suffix }) =>
      [name, key_prefix, key_suffix].some((each) => each.toLowerCase().includes(text.toLowerCase())),
    )
    .map(found)

/** Active keys that the person may revoke: those they made, and for admins every key of the group. */
export const findRevocable: Find = async (text, place) =>
  selectKeys(await keysOf(place), text, 'active', Date.now())
    .filter(({ created_by }) => mayUse('manage', place.role) || created_by === place.userId)
    .map((key) => ({
      ...found(key),
      kind: `…${key.key_suffix}`,
      go: { to: '/keys', search: { revoke: key.id } },
    }))
