import { useQuery } from '@tanstack/react-query'
import { keysQuery } from '../../api/keys.ts'
import { membersQuery } from '../../api/members.ts'
import { modelsQuery } from '../../api/models.ts'
import type { CurrentGroup } from '../../api/session.ts'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { providerName } from '../../ui/provider-name.ts'
import { ChoiceField, TextField } from '../../ui/text-field.tsx'
import type { SubjectType } from './limit-words.ts'

interface SubjectFieldProps {
  group: CurrentGroup
  type: SubjectType
  value: string
  onChange: (id: string) => void
}

/** Which key, person, model, provider or tag. The whole group needs no choice. */
export function SubjectField({ group, type, value, onChange }: SubjectFieldProps) {
  const field = { value, onChange }
  if (type === 'api_key') return <KeyField groupId={group.id} {...field} />
  if (type === 'user') return <PersonField groupId={group.id} {...field} />
  if (type === 'model' || type === 'provider') return <NameField groupId={group.id} type={type} {...field} />
  if (type === 'tag')
    return (
      <TextField label="Tag" hint="One of metadata.tags of a request." placeholder="nightly" {...field} />
    )
  return null
}

interface OneProps {
  groupId: string
  value: string
  onChange: (id: string) => void
}

const none = { id: '', label: 'Choose…' }

function KeyField({ groupId, value, onChange }: OneProps) {
  const keys = useQuery(keysQuery(groupId))
  const choices = (keys.data ?? [])
    .filter(({ revoked_at }) => revoked_at === null)
    .map(({ id, name, key_suffix: suffix }) => ({ id, label: `${name} …${suffix}` }))
  return <ChoiceField label="API key" value={value} choices={[none, ...choices]} onChange={onChange} />
}

function PersonField({ groupId, value, onChange }: OneProps) {
  const members = useQuery(membersQuery(groupId))
  const people = (members.data ?? []).map(({ user_id: id, name }) => ({ id, label: name }))
  const isLabel = value.startsWith('label:')
  return (
    <div className="space-y-3">
      <ChoiceField
        label="Person"
        hint="All their keys together, and what they try in the playground."
        value={isLabel ? 'label:' : value}
        choices={[none, ...people, { id: 'label:', label: 'The “user” of a request…' }]}
        onChange={onChange}
      />
      {isLabel && (
        <TextField
          label="User"
          hint="What your apps send in the field “user”."
          value={value.slice('label:'.length)}
          onChange={(text) => onChange(`label:${text}`)}
        />
      )}
    </div>
  )
}

/** Any name may be typed; those that the group has are offered. */
function NameField({ groupId, type, value, onChange }: OneProps & { type: 'model' | 'provider' }) {
  const models = useQuery(modelsQuery(groupId))
  const owners = [...new Set((models.data ?? []).map(({ owned_by }) => owned_by))]
  if (type === 'provider') {
    const choices = owners.map((id) => ({ id, label: providerName(id) }))
    return <ChoiceField label="Provider" value={value} choices={[none, ...choices]} onChange={onChange} />
  }
  return (
    <Field label="Model">
      {(ids) => (
        <>
          <Input
            {...ids}
            className="font-mono"
            autoComplete="off"
            spellCheck={false}
            list={`${ids.id}-list`}
            placeholder="my-model"
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <datalist id={`${ids.id}-list`}>
            {(models.data ?? []).map(({ id }) => (
              <option key={id} value={id} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}
