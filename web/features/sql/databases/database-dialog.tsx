import { useState } from 'react'
import type { OfferedDatabase } from '#sql/contract'
import { call } from '../../../api/client.ts'
import { splitFieldErrors } from '../../../api/field-errors.ts'
import { Field } from '../../../ui/field.tsx'
import { FormDialog, useForm } from '../../../ui/form-dialog.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { ChoiceField, TextField } from '../../../ui/text-field.tsx'
import { sqlKey } from '../sql-queries.ts'
import { environmentNames, nameIn, namesIn, type Environment } from './database-words.ts'

interface DatabaseDialogProps {
  groupId: string
  /** The one to change; without it a new one is added. */
  database?: OfferedDatabase
  onClose: () => void
}

const environments = Object.keys(environmentNames) as Environment[]
const form = 'postgresql://user:password@host:5432/database'

export function DatabaseDialog({ groupId, database, onClose }: DatabaseDialogProps) {
  const [url, setUrl] = useState('')
  const [typedName, setName] = useState<string>()
  const [environment, setEnvironment] = useState<Environment>(database?.environment ?? 'dev')
  const [schemas, setSchemas] = useState((database?.schemas ?? ['public']).join(', '))
  const name = typedName ?? nameIn(url)
  const shared = { environment, schemas: namesIn(schemas) }
  const { error, ...rest } = useForm(
    sqlKey(groupId),
    database ? 'Database updated' : 'Database added',
    onClose,
    () =>
      database
        ? call('PATCH', '/api/v1/sql/databases/{name}', {
            path: { name: database.name },
            body: { ...shared, ...(url !== '' && { url: url.trim() }) },
          })
        : call('POST', '/api/v1/sql/databases', { body: { ...shared, name, url: url.trim() } }),
  )
  const { problems, rest: other } = splitFieldErrors(error, ['url', 'name', 'schemas'])
  return (
    <FormDialog
      title={database ? `Edit “${database.name}”` : 'Add database'}
      description="A PostgreSQL database, version 15 or later. It is tried when you save."
      action={database ? 'Save changes' : 'Add database'}
      error={other ?? null}
      {...rest}
    >
      <Field
        label="Address"
        hint={
          database
            ? 'Leave it empty to keep the stored one. It is encrypted and never shown again.'
            : 'With the login of your application. It is encrypted and never shown again.'
        }
        error={problems.url}
      >
        {(ids) => (
          <PasswordInput
            {...ids}
            what="address"
            autoComplete="off"
            spellCheck={false}
            placeholder={form}
            required={!database}
            maxLength={2_000}
            value={url}
            onValue={setUrl}
          />
        )}
      </Field>
      {!database && (
        <TextField
          label="Name"
          hint="How statements and policies name it: a-z, 0-9, _ and -."
          required
          maxLength={63}
          placeholder="shop"
          error={problems.name}
          value={name}
          onChange={setName}
        />
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        <ChoiceField
          label="Environment"
          hint="The stricter of this and the policy’s applies."
          value={environment}
          choices={environments.map((id) => ({ id, label: environmentNames[id] }))}
          onChange={setEnvironment}
        />
        <TextField
          label="Schemas"
          hint={
            database
              ? 'Whose structure agents may change. Set it up again after a change.'
              : 'Whose structure agents may change, separated by commas.'
          }
          required
          error={problems.schemas}
          value={schemas}
          onChange={setSchemas}
        />
      </div>
    </FormDialog>
  )
}
