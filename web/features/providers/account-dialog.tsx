import { useState, type FormEvent } from 'react'
import { toast } from 'sonner'
import type { Provider, ProviderAccount } from '#vault/contract'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { splitFieldErrors } from '../../api/field-errors.ts'
import { useDeleteAccount, useSaveAccount, type AccountBody } from './provider-queries.ts'

interface AccountDialogProps {
  groupId: string
  provider: Provider
  /** Absent for a new account. */
  account?: ProviderAccount
  onClose: () => void
}

const fields = [
  { field: 'name', label: 'Name', type: 'text', hint: 'For example the team or budget that pays.' },
  {
    field: 'account_email',
    label: 'Billing email (optional)',
    type: 'email',
    hint: 'Where the provider sends invoices.',
  },
  { field: 'account_phone', label: 'Support phone (optional)', type: 'tel', hint: undefined },
] as const

export function AccountDialog({ groupId, provider, account, onClose }: AccountDialogProps) {
  const save = useSaveAccount(groupId, account ? { accountId: account.id } : { providerId: provider.id })
  const [draft, setDraft] = useState<AccountBody>({
    name: account?.name ?? '',
    account_email: account?.account_email ?? '',
    account_phone: account?.account_phone ?? '',
  })
  const [missing, setMissing] = useState<string>()
  const { problems, rest } = splitFieldErrors(save.error, ['name', 'account_email', 'account_phone'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (draft.name.trim() === '') return setMissing('Enter a name, such as the team or budget that pays.')
    const onSuccess = () => {
      toast.success(account ? `Account “${draft.name}” updated` : `Account “${draft.name}” added`)
      onClose()
    }
    return save.mutate(draft, { onSuccess })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={account ? `Edit account “${account.name}”` : `Add ${provider.name} account`}
      description="Use accounts to separate keys that are billed separately."
    >
      <form onSubmit={submit} noValidate className="flex min-h-0 flex-1 flex-col">
        <DialogBody>
          {fields.map(({ field, label, type, hint }) => (
            <Field
              key={field}
              label={label}
              hint={hint}
              error={(field === 'name' ? missing : undefined) ?? problems[field]}
            >
              {(ids) => (
                <Input
                  {...ids}
                  type={type}
                  autoFocus={field === 'name'}
                  maxLength={field === 'account_email' ? 254 : 100}
                  autoComplete="off"
                  value={draft[field]}
                  onChange={(event) => {
                    setDraft({ ...draft, [field]: event.target.value })
                    setMissing(undefined)
                  }}
                />
              )}
            </Field>
          ))}
          {rest !== null && <FailureNotice error={rest} />}
        </DialogBody>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={save.isPending}>
            {account ? 'Save changes' : 'Add account'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

export function DeleteAccountDialog(
  props: Omit<AccountDialogProps, 'account'> & { account: ProviderAccount },
) {
  const { groupId, provider, account, onClose } = props
  const remove = useDeleteAccount(groupId)
  const count = account.keys.length
  const onSuccess = () => {
    toast.success(`Account “${account.name}” deleted`)
    onClose()
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete account “${account.name}”?`}
      action="Delete account"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(account.id, { onSuccess })}
    >
      <p>
        {count === 0
          ? 'It has no keys.'
          : `Its ${count === 1 ? 'key is' : `${count} keys are`} deleted too. This can’t be undone.`}{' '}
        Your account at {provider.name} is not affected.
      </p>
    </ConfirmDialog>
  )
}
