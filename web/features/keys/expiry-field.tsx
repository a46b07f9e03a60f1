import { Field } from '../../ui/field.tsx'
import { Input, Select } from '../../ui/input.tsx'
import { expiryChoices, type Expiry, type ExpiryChoice } from './expiry.ts'

const names: Record<ExpiryChoice, string> = {
  never: 'Never',
  '7': 'In 7 days',
  '30': 'In 30 days',
  '90': 'In 90 days',
  '365': 'In a year',
  date: 'On a date…',
}

interface ExpiryFieldProps {
  value: Expiry
  onChange: (expiry: Expiry) => void
  error?: string | undefined
}

export function ExpiryField({ value, onChange, error }: ExpiryFieldProps) {
  return (
    <Field label="Expires" error={error}>
      {(ids) => (
        <div className="flex flex-col gap-2 sm:flex-row">
          <Select
            {...ids}
            className="flex-1"
            value={value.choice}
            onChange={(event) => onChange({ ...value, choice: event.target.value as ExpiryChoice })}
          >
            {expiryChoices.map((choice) => (
              <option key={choice} value={choice}>
                {names[choice]}
              </option>
            ))}
          </Select>
          {value.choice === 'date' && (
            <Input
              type="date"
              aria-label="Last day the key works"
              className="sm:w-44"
              value={value.date}
              onChange={(event) => onChange({ ...value, date: event.target.value })}
            />
          )}
        </div>
      )}
    </Field>
  )
}
