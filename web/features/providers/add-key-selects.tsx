import type { Provider, ProviderAccount } from '#vault/contract'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/input.tsx'

interface ProviderSelectProps {
  providers: readonly Provider[]
  value: string | undefined
  onChange: (id: string) => void
}

export function ProviderSelect({ providers, value, onChange }: ProviderSelectProps) {
  return (
    <Field label="Provider">
      {(ids) => (
        <Select {...ids} value={value ?? ''} onChange={(event) => onChange(event.target.value)}>
          <option value="" disabled>
            Detect from key
          </option>
          {providers.map((provider) => (
            <option key={provider.id} value={provider.id}>
              {provider.name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

interface AccountSelectProps {
  accounts: readonly ProviderAccount[]
  value: string | undefined
  onChange: (id: string | undefined) => void
}

/** Only for a provider with several accounts. */
export function AccountSelect({ accounts, value, onChange }: AccountSelectProps) {
  const standard = accounts.find((account) => account.name === 'Default')
  return (
    <Field label="Account" hint="Requests are billed to this account.">
      {(ids) => (
        <Select
          {...ids}
          value={value ?? standard?.id ?? ''}
          onChange={(event) => onChange(event.target.value || undefined)}
        >
          {!standard && <option value="">Default</option>}
          {accounts.map((account) => (
            <option key={account.id} value={account.id}>
              {account.name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
