import { useQuery } from '@tanstack/react-query'
import { modelsQuery } from '../../api/models.ts'
import { ChipsField } from '../../ui/chips-field.tsx'
import type { KeyDraft } from './key-draft.ts'

/** The server decides what is a name or a network. */
export const listFields = ['allowed_models', 'allowed_addresses'] as const

interface AllowListsProps {
  groupId: string
  draft: KeyDraft
  problems: Partial<Record<(typeof listFields)[number], string>>
  onChange: (part: Partial<KeyDraft>) => void
}

/** What the key may name, and where it may be used from. */
export function AllowLists({ groupId, draft, problems, onChange }: AllowListsProps) {
  const models = useQuery(modelsQuery(groupId))
  return (
    <>
      <ChipsField
        label="Allowed models"
        hint={
          draft.models.length === 0
            ? 'Empty: every model. Names of models and routes; * stands for any text, as in small-*.'
            : 'Requests that name another model are refused. * stands for any text. What a route leads to need not be listed.'
        }
        error={problems.allowed_models}
        placeholder="small-*"
        value={draft.models}
        onChange={(list) => onChange({ models: list })}
        suggestions={(models.data ?? []).map(({ id }) => id)}
      />
      <ChipsField
        label="Allowed addresses"
        hint={
          draft.addresses.length === 0
            ? 'Empty: from everywhere. Addresses or networks, such as 10.0.0.0/8 or 2001:db8::/32.'
            : 'Requests from other addresses are refused.'
        }
        error={problems.allowed_addresses}
        placeholder="10.0.0.0/8"
        value={draft.addresses}
        onChange={(list) => onChange({ addresses: list })}
      />
    </>
  )
}
