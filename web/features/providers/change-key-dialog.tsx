import { useState, type FormEvent } from 'react'
import { toast } from 'sonner'
import type { ProviderKey } from '#vault/contract'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { splitFieldErrors } from '../../api/field-errors.ts'
import { useChangeKey } from './provider-queries.ts'
import { CheckField, TextField } from '../../ui/text-field.tsx'

interface ChangeKeyDialogProps {
  apiKey: ProviderKey
  groupId: string
  providerName: string
  onClose: () => void
}

export function ChangeKeyDialog({ apiKey, groupId, providerName, onClose }: ChangeKeyDialogProps) {
  const change = useChangeKey(groupId)
  const [name, setName] = useState(apiKey.name)
  const [value, setValue] = useState('')
  const [pooled, setPooled] = useState(apiKey.pooled)
  const [weight, setWeight] = useState(String(apiKey.weight))
  const { problems, rest } = splitFieldErrors(change.error, ['name', 'api_key', 'weight'])
  const missing = name.trim() === '' ? 'Enter a name.' : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (missing !== undefined) return
    const replaced = value.trim() === '' ? {} : { api_key: value.trim() }
    const pool = {
      ...(pooled === apiKey.pooled ? {} : { pooled }),
      ...(pooled && weight !== String(apiKey.weight) ? { weight: Number(weight) } : {}),
    }
    const onSuccess = () => {
      toast.success(`Key “${name.trim()}” ${value.trim() === '' ? 'updated' : 'replaced'}`)
      onClose()
    }
    change.mutate({ id: apiKey.id, name: name.trim(), ...replaced, ...pool }, { onSuccess })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Edit key “${apiKey.name}”`}
      description={`A new ${providerName} key takes the place of the stored one. API keys that select it keep working.`}
    >
      <form onSubmit={submit} noValidate className="flex min-h-0 flex-1 flex-col">
        <DialogBody>
          <TextField
            label="Name"
            error={missing ?? problems.name}
            autoFocus
            maxLength={100}
            autoComplete="off"
            value={name}
            onChange={setName}
          />
          <Field
            label="New key (optional)"
            hint={`Leave it empty to keep the key that ends with ${apiKey.key_suffix}.`}
            error={problems.api_key}
          >
            {(ids) => (
              <PasswordInput
                {...ids}
                what="key"
                autoComplete="off"
                data-1p-ignore
                spellCheck={false}
                placeholder="Paste the new key"
                value={value}
                onValue={setValue}
              />
            )}
          </Field>
          <CheckField
            label="Pooled"
            hint={`Pooled keys of ${providerName} take over from each other: one that is refused or limited rests.`}
            checked={pooled}
            onChange={setPooled}
          />
          {pooled && (
            <TextField
              label="Weight"
              hint="Its share of the requests among the pooled keys, from 1 to 1000."
              error={problems.weight}
              type="number"
              min={1}
              max={1000}
              value={weight}
              onChange={setWeight}
            />
          )}
          {rest !== null && <FailureNotice error={rest} />}
        </DialogBody>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={change.isPending}>
            Save changes
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
