import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import type { Member } from '#access/contract'
import type { ByModel, LogFilter, UsageFilter } from '#usage/contract'
import { byKeyQuery, byModelQuery, byProviderQuery } from '../../api/usage-queries.ts'
import { buttonClass } from '../../ui/button.tsx'
import { CheckMenu, type CheckOption } from '../../ui/check-menu.tsx'
import { membersQuery } from '../../api/members.ts'
import { modelName } from '../../ui/model-name.ts'
import { providerName } from '../../ui/provider-name.ts'
import { keyName } from '../../ui/usage-filter-selects.tsx'
import { valuesOf, type ValueFilter } from './logs-address.ts'

interface ValueMenusProps {
  groupId: string
  filter: LogFilter
  onChange: (part: Partial<Record<ValueFilter, string[]>>) => void
}

/** Offers the values of the days in the chosen period, plus what is chosen. */
export function ValueMenus({ groupId, filter, onChange }: ValueMenusProps) {
  const days = daysOf(filter)
  const models = useQuery(byModelQuery(groupId, days)).data ?? []
  const providers = useQuery(byProviderQuery(groupId, days)).data ?? []
  const keys = useQuery(byKeyQuery(groupId, days)).data ?? []
  const people = useQuery(membersQuery(groupId)).data ?? []
  const options: Record<ValueFilter, CheckOption[]> = {
    model: models
      .filter(wasServed)
      .flatMap(({ model, requests }) => (model ? [optionOf(model, modelName(model), requests)] : [])),
    provider: providers.flatMap(({ provider, requests }) =>
      provider === null ? [] : [optionOf(provider, providerName(provider), requests)],
    ),
    api_key_id: keys.map((key) => optionOf(key.api_key_id ?? 'none', keyName(key), key.requests)),
  }
  return (
    <>
      {(['model', 'provider', 'api_key_id'] as const).map((name) => (
        <ValueMenu
          key={name}
          label={labels[name]}
          options={merged(options[name], valuesOf(filter[name]), people)}
          chosen={valuesOf(filter[name])}
          onChange={(chosen) => onChange({ [name]: chosen })}
        />
      ))}
    </>
  )
}

/** A name whose requests were all refused is probably that of a model that does not exist. */
const wasServed = ({ requests, errors }: ByModel): boolean => errors < requests

const labels: Record<ValueFilter, string> = { model: 'Model', provider: 'Provider', api_key_id: 'API key' }

/** The days that the sums of the menus are of: whole UTC days around the period. */
function daysOf({ since, until }: LogFilter): UsageFilter {
  return {
    ...(since !== undefined && { start_date: since.slice(0, 10) }),
    ...(until !== undefined && { end_date: until.slice(0, 10) }),
  }
}

const optionOf = (value: string, label: string, count: number): CheckOption => ({ value, label, count })

/** `person:ID` stands for all keys that a person made. */
function labelOf(value: string, people: readonly Member[]): string {
  if (!value.startsWith('person:')) return value
  const person = people.find(({ user_id: id }) => value === `person:${id}`)
  return `Keys of ${person?.name ?? 'a person'}`
}

/** One option for each value, by name; a chosen value stays when the period has none of it. */
function merged(
  options: readonly CheckOption[],
  chosen: readonly string[],
  people: readonly Member[],
): CheckOption[] {
  const found = new Map<string, CheckOption>(
    chosen.map((value) => [value, { value, label: labelOf(value, people) }]),
  )
  for (const { value, label, count = 0 } of options)
    found.set(value, { value, label, count: count + (found.get(value)?.count ?? 0) })
  return [...found.values()].sort((one, other) => one.label.localeCompare(other.label))
}

interface ValueMenuProps {
  label: string
  options: readonly CheckOption[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

function ValueMenu({ label, options, chosen, onChange }: ValueMenuProps) {
  const [first] = chosen
  const text =
    chosen.length === 1
      ? options.find(({ value }) => value === first)?.label
      : chosen.length > 1
        ? `${label} · ${chosen.length}`
        : undefined
  const trigger = (
    <button
      type="button"
      aria-label={chosen.length === 0 ? label : `${label}: ${chosen.length} chosen`}
      className={clsx(
        buttonClass(),
        'max-w-full min-w-0',
        chosen.length > 0 && 'border-primary! text-accent!',
      )}
    >
      <span className="max-w-48 truncate">{text ?? label}</span>
      <ChevronDown aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
    </button>
  )
  return (
    <CheckMenu
      label={`${label} filter`}
      trigger={trigger}
      options={options}
      chosen={chosen}
      onChange={onChange}
      {...(chosen.length > 0 && { reset: { label: 'Clear', chosen: [] } })}
    />
  )
}
