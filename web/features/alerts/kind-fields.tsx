import { useQuery } from '@tanstack/react-query'
import type { AlertKind } from '#limits/contract'
import { keysQuery } from '../../api/keys.ts'
import { useCurrentGroup, type CurrentGroup } from '../../api/session.ts'
import { Field } from '../../ui/field.tsx'
import { errorOf } from '../../ui/form-dialog.tsx'
import { Select } from '../../ui/input.tsx'
import { ChoiceField, TextField } from '../../ui/text-field.tsx'
import { limitText, useSubjectName } from '../limits/index.ts'
import { alertLimitsQuery } from './alert-queries.ts'
import { forms, type FormField, type FormTexts } from './kind-forms.ts'

interface KindFieldsProps {
  groupId: string
  kind: AlertKind
  texts: FormTexts
  error: unknown
  onChange: (texts: FormTexts) => void
}

export function KindFields({ groupId, kind, texts, error, onChange }: KindFieldsProps) {
  const fields = forms[kind]
  if (fields.length === 0) return null
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {fields.map((field) => (
        <KindField
          key={field.name}
          groupId={groupId}
          field={field}
          value={texts[field.name] ?? ''}
          error={errorOf(error, `config.${field.name}`) ?? errorOf(error, `config.${field.name}.id`)}
          onChange={(text) => onChange({ ...texts, [field.name]: text })}
        />
      ))}
    </div>
  )
}

interface KindFieldProps {
  groupId: string
  field: FormField
  value: string
  error: string | undefined
  onChange: (text: string) => void
}

function KindField({ groupId, field, value, error, onChange }: KindFieldProps) {
  const { label, hint, type, choices = [], isOptional } = field
  if (type === 'subject')
    return <SubjectField groupId={groupId} field={field} value={value} error={error} onChange={onChange} />
  if (type === 'limit') return <LimitField value={value} error={error} onChange={onChange} />
  if (type === 'choice')
    return <ChoiceField label={label} hint={hint} value={value} choices={choices} onChange={onChange} />
  return (
    <TextField
      label={label}
      hint={hint}
      error={error}
      required={!isOptional}
      inputMode={type === 'number' ? 'numeric' : type === 'money' ? 'decimal' : 'text'}
      {...(type === 'money' && { pattern: String.raw`\d+(\.\d+)?` })}
      {...(type === 'number' && { pattern: String.raw`\d+` })}
      value={value}
      onChange={onChange}
    />
  )
}

const tagPrefix = 'tag:'

/** The whole group, one of its keys, or a tag; a subject that was set by the API stays as it is. */
function SubjectField({ groupId, field, value, error, onChange }: KindFieldProps) {
  const keys = useQuery(keysQuery(groupId)).data ?? []
  const known = [
    { id: 'group', label: 'The whole group' },
    ...keys.map(({ id, name }) => ({ id: `api_key:${id}`, label: `Key ${name}` })),
    ...(field.takesTags ? [{ id: tagPrefix, label: 'Requests with a tag…' }] : []),
  ]
  const chosen = field.takesTags && value.startsWith(tagPrefix) ? tagPrefix : value
  const choices = known.some(({ id }) => id === chosen)
    ? known
    : [...known, { id: value, label: value.replace(':', ' ') }]
  return (
    <>
      <ChoiceField label={field.label} value={chosen} choices={choices} onChange={onChange} />
      {chosen === tagPrefix && (
        <TextField
          label="Tag"
          hint="One of metadata.tags of a request. Its days begin at midnight UTC."
          error={error}
          required
          value={value.slice(tagPrefix.length)}
          onChange={(text) => onChange(tagPrefix + text)}
        />
      )}
    </>
  )
}

/** Limits of the group; without any there is nothing to choose. */
function LimitField(props: Pick<KindFieldProps, 'value' | 'error' | 'onChange'>) {
  const group = useCurrentGroup()
  return group && <LimitChoice group={group} {...props} />
}

function LimitChoice({
  group,
  value,
  error,
  onChange,
}: Pick<KindFieldProps, 'value' | 'error' | 'onChange'> & { group: CurrentGroup }) {
  const limits = useQuery(alertLimitsQuery(group.id)).data ?? []
  const nameOf = useSubjectName(group)
  const hint = limits.length === 0 ? 'The group has no limits yet.' : undefined
  return (
    <Field label="Limit" hint={hint} error={error}>
      {(ids) => (
        <Select {...ids} required value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">Choose a limit</option>
          {limits.map((limit) => (
            <option key={limit.id} value={limit.id}>
              {nameOf(limit.subject)}, {limitText(limit)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
