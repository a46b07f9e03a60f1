import { useQuery } from '@tanstack/react-query'
import type { ByModel, UsageFilter } from '#usage/contract'
import { Select } from './input.tsx'
import { providerName } from './provider-name.ts'
import { byKeyQuery, byModelQuery, byProviderQuery } from '../api/usage-queries.ts'

type Choosable = 'model' | 'provider' | 'api_key_id'

interface FilterSelectsProps {
  groupId: string
  filter: UsageFilter
  onChange: (part: Partial<Record<Choosable, string | undefined>>) => void
}

/** A name whose requests were all refused is probably that of a model that does not exist. */
const wasServed = ({ requests, errors }: ByModel): boolean => errors < requests

/** Offers the values in the chosen period, plus the current selection. */
export function FilterSelects({ groupId, filter, onChange }: FilterSelectsProps) {
  const { start_date, end_date } = filter
  const days: UsageFilter = {
    ...(start_date !== undefined && { start_date }),
    ...(end_date !== undefined && { end_date }),
  }
  const models = useQuery(byModelQuery(groupId, days)).data ?? []
  const providers = useQuery(byProviderQuery(groupId, days)).data ?? []
  const keys = useQuery(byKeyQuery(groupId, days)).data ?? []
  const select = (name: Choosable, label: string, all: string, options: Option[]) => (
    <FilterSelect
      label={label}
      all={all}
      options={options}
      value={filter[name]}
      onChange={(value) => onChange({ [name]: value })}
    />
  )
  return (
    <>
      {select(
        'model',
        'Model',
        'All models',
        unique(models.filter(wasServed).map(({ model }) => ({ value: model, label: model }))),
      )}
      {select(
        'provider',
        'Provider',
        'All providers',
        unique(
          providers.flatMap(({ provider }) =>
            provider === null ? [] : [{ value: provider, label: providerName(provider) }],
          ),
        ),
      )}
      {select(
        'api_key_id',
        'API key',
        'All keys',
        unique(keys.map((key) => ({ value: key.api_key_id ?? 'none', label: keyName(key) }))),
      )}
    </>
  )
}

/** A request without a key came from a person in the playground. */
export const keyName = (key: { api_key_id: string | null; api_key_name: string | null }): string =>
  key.api_key_name ?? (key.api_key_id === null ? 'Playground' : `deleted key ${key.api_key_id.slice(0, 8)}`)

interface Option {
  value: string
  label: string
}

const unique = (options: readonly Option[]): Option[] =>
  [...new Map(options.map((option) => [option.value, option])).values()].sort((one, other) =>
    one.label.localeCompare(other.label),
  )

interface FilterSelectProps {
  label: string
  all: string
  options: Option[]
  value: string | undefined
  onChange: (value: string | undefined) => void
}

function FilterSelect({ label, all, options, value, onChange }: FilterSelectProps) {
  const isListed = value === undefined || options.some((option) => option.value === value)
  return (
    <Select
      aria-label={label}
      className="min-w-0 flex-1 sm:flex-none sm:basis-40"
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
    >
      <option value="">{all}</option>
      {!isListed && <option value={value}>{value}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </Select>
  )
}
