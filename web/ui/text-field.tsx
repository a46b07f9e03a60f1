import { useId, type ComponentProps, type ReactNode } from 'react'
import { Field } from './field.tsx'
import { Input, Select, Textarea } from './input.tsx'

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  label: string
  hint?: ReactNode
  error?: string | undefined
  value: string
  onChange: (value: string) => void
}

export function TextField({ label, hint, error, onChange, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <Input autoComplete="off" {...rest} {...ids} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  )
}

interface TextareaFieldProps extends Omit<ComponentProps<'textarea'>, 'value' | 'onChange'> {
  label: string
  hint?: ReactNode
  error?: string | undefined
  value: string
  onChange: (value: string) => void
}

export function TextareaField({ label, hint, error, onChange, ...rest }: TextareaFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => <Textarea {...rest} {...ids} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  )
}

interface ChoiceFieldProps<Choice extends string> {
  label: string
  hint?: ReactNode
  value: Choice
  choices: readonly { id: Choice; label: string }[]
  onChange: (value: Choice) => void
}

export function ChoiceField<Choice extends string>(props: ChoiceFieldProps<Choice>) {
  const { label, hint, value, choices, onChange } = props
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <Select {...ids} value={value} onChange={(event) => onChange(event.target.value as Choice)}>
          {choices.map(({ id, label: name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

interface CheckFieldProps {
  label: string
  hint?: ReactNode
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

export function CheckField({ label, hint, checked, disabled, onChange }: CheckFieldProps) {
  const id = useId()
  return (
    <label className="flex cursor-pointer items-start gap-2.5 text-sm">
      <input
        type="checkbox"
        aria-labelledby={`${id}-label`}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 accent-[var(--primary)]"
      />
      <span className="min-w-0 leading-snug">
        <span id={`${id}-label`} className="block font-medium">
          {label}
        </span>
        {hint !== undefined && (
          <span id={`${id}-hint`} className="block text-xs text-ink-faint">
            {hint}
          </span>
        )}
      </span>
    </label>
  )
}
