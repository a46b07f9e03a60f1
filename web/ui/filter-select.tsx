import { Select } from './input.tsx'

interface FilterSelectProps {
  label: string
  /** The choice of no filter, such as "All services". */
  all: string
  className?: string
  value: string | undefined
  choices: readonly FilterChoice[]
  /** An empty string: all. */
  onChange(value: string): void
}

interface FilterChoice {
  id: string
  name: string
  /** Where the name is short for it. */
  whole?: string
}

/** One value or all. A value of the address that is not among the choices is shown as it is. */
export function FilterSelect({ label, all, className, value = '', choices, onChange }: FilterSelectProps) {
  const isListed = value === '' || choices.some(({ id }) => id === value)
  return (
    <Select
      aria-label={label}
      className={className}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{all}</option>
      {!isListed && <option value={value}>{value}</option>}
      {choices.map(({ id, name, whole }) => (
        <option key={id} value={id} title={whole}>
          {name}
        </option>
      ))}
    </Select>
  )
}

export const namedChoices = <Id extends string>(
  ids: readonly Id[],
  names: Readonly<Record<Id, string>>,
): FilterChoice[] => ids.map((id) => ({ id, name: names[id] }))
