import { KeyRound } from 'lucide-react'
import { keysQuery } from '../../api/keys.ts'
import type { Find } from '../../shell/feature.ts'

/** Keys by name, or by how they begin or end. */
export const findKeys: Find = async (text, { groupId, queryClient }) => {
  const keys = await queryClient.ensureQueryData(keysQuery(groupId))
  return keys
    .filter(({ name, key_prefix, key_suffix }) =>
      [name, key_prefix, key_suffix].some((each) => each.toLowerCase().includes(text.toLowerCase())),
    )
    .map(({ id, name }) => ({
      id,
      label: name,
      kind: 'Key',
      icon: KeyRound,
      go: { to: `/keys/${id}` },
    }))
}
