import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { toast } from 'sonner'
import type { Hook } from '#webhooks/contract'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { Field } from '../../../ui/field.tsx'
import { errorOf, FormDialog, useForm } from '../../../ui/form-dialog.tsx'
import { recordsKey, useRecordChange } from '../record-queries.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { WorkflowsField, workflowsOf } from './workflows-field.tsx'

interface HookDialogProps {
  groupId: string
  hook: Hook
  onClose: () => void
}

export function EditHookDialog({ groupId, hook, onClose }: HookDialogProps) {
  const [name, setName] = useState(hook.name)
  const [workflows, setWorkflows] = useState(hook.deploy_workflows.join(', '))
  const hasWorkflows = hook.kind === 'github' || hook.kind === 'gitlab'
  const body = { name: name.trim(), ...(hasWorkflows && { deploy_workflows: workflowsOf(workflows) }) }
  const form = useForm(recordsKey(groupId), 'Webhook updated', onClose, () =>
    call('PATCH', '/api/webhooks/{id}', { path: { id: hook.id }, body }),
  )
  return (
    <FormDialog title={`Edit “${hook.name}”`} action="Save changes" {...form}>
      <TextField
        label="Name"
        required
        maxLength={100}
        error={errorOf(form.error, 'name')}
        value={name}
        onChange={setName}
      />
      {hasWorkflows && <WorkflowsField value={workflows} error={form.error} onChange={setWorkflows} />}
    </FormDialog>
  )
}

/** A secret of the sender's choice replaces the one that is in use. */
export function NewSecretDialog({ groupId, hook, onClose }: HookDialogProps) {
  const [secret, setSecret] = useState('')
  const save = useRecordChange(groupId)
  const onSuccess = () => {
    toast.success('Secret changed', { description: 'The old one stopped working.' })
    onClose()
  }
  return (
    <FormDialog
      title={`Change secret of “${hook.name}”`}
      description="The old secret stops working immediately. Enter the new one at the sender as well."
      action="Change secret"
      busy={save.isPending}
      error={save.error}
      onSubmit={() =>
        save.mutate(() => call('PATCH', '/api/webhooks/{id}', { path: { id: hook.id }, body: { secret } }), {
          onSuccess,
        })
      }
      onClose={onClose}
    >
      <Field label="New secret" hint="8 to 200 characters." error={errorOf(save.error, 'secret')}>
        {(ids) => (
          <PasswordInput
            {...ids}
            required
            minLength={8}
            maxLength={200}
            autoComplete="off"
            value={secret}
            onValue={setSecret}
            what="secret"
          />
        )}
      </Field>
    </FormDialog>
  )
}
