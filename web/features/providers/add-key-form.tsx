import { useState, type FormEvent } from 'react'
import type { Provider } from '#vault/contract'
import { Button } from '../../ui/button.tsx'
import { DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { AccountSelect, ProviderSelect } from './add-key-selects.tsx'
import { splitFieldErrors } from '../../api/field-errors.ts'
import { WhereToGetKey } from './provider-links.tsx'
import { useAddKey } from './provider-queries.ts'
import { keysOf } from '../../api/providers.ts'
import { keyProblem, nameForNext, recogniseProvider, twinOf } from './recognise.ts'
import { reportAdded } from './test-words.ts'
import { TextField } from '../../ui/text-field.tsx'

interface AddKeyFormProps {
  groupId: string
  providers: Provider[]
  /** Set if the form was opened from a provider. */
  provider?: Provider | undefined
  accountId?: string | undefined
  onDone?: () => void
  onCancel?: () => void
}

/** The key and its name; the provider is recognised from the key unless it is already chosen. */
export function AddKeyForm(props: AddKeyFormProps) {
  const { groupId, providers, provider: fixed, onDone, onCancel } = props
  const add = useAddKey(groupId, (id, test) =>
    reportAdded(
      providers.find((each) => each.id === id),
      test,
    ),
  )
  const [value, setValue] = useState('')
  const [typedName, setName] = useState<string>()
  const [chosen, setChosen] = useState<string>()
  const [account, setAccount] = useState(props.accountId)
  const [problem, setProblem] = useState<string>()
  const guess = recogniseProvider(value)
  const provider = fixed ?? providers.find(({ id }) => id === (chosen ?? guess))
  const name = typedName ?? nameForNext(provider ? keysOf(provider).map((key) => key.name) : [])
  const other = guess !== undefined && guess !== provider?.id && providers.find(({ id }) => id === guess)
  const twin = provider && twinOf(value, keysOf(provider))
  const failure = splitFieldErrors(add.error, ['api_key', 'name'])
  const done = () => {
    setValue('')
    setName(undefined)
    onDone?.()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found =
      keyProblem(value, provider?.is_custom) ?? (provider ? undefined : 'Choose the provider of this key.')
    setProblem(found)
    if (found !== undefined || !provider) return
    const body = { providerId: provider.id, accountId: account, name: name.trim(), api_key: value.trim() }
    add.mutate(body, { onSuccess: done })
  }
  return (
    <form onSubmit={submit} noValidate className="flex min-h-0 flex-1 flex-col">
      <DialogBody>
        <Field
          label="Key"
          error={problem ?? failure.problems.api_key}
          hint={
            other ? (
              <span className="text-accent">This looks like a key for {other.name}.</span>
            ) : twin ? (
              <span className="text-accent">
                “{twin.name}” ends with the same characters. It may be the same key.
              </span>
            ) : (
              <WhereToGetKey providers={provider ? [provider] : []} />
            )
          }
        >
          {(ids) => (
            <PasswordInput
              {...ids}
              what="key"
              autoFocus={onCancel !== undefined}
              autoComplete="off"
              data-1p-ignore
              spellCheck={false}
              placeholder="Paste the key"
              value={value}
              onValue={(text) => {
                setValue(text)
                setProblem(undefined)
              }}
            />
          )}
        </Field>
        {!fixed && <ProviderSelect providers={providers} value={provider?.id} onChange={setChosen} />}
        {provider && provider.accounts.length > 1 && (
          <AccountSelect accounts={provider.accounts} value={account} onChange={setAccount} />
        )}
        <TextField
          label="Name"
          hint="To recognise it in lists."
          error={failure.problems.name}
          maxLength={100}
          autoComplete="off"
          value={name}
          onChange={setName}
        />
        {failure.rest !== null && <FailureNotice error={failure.rest} />}
      </DialogBody>
      <DialogActions>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
        <Button type="submit" look="primary" busy={add.isPending}>
          Add key
        </Button>
      </DialogActions>
    </form>
  )
}
