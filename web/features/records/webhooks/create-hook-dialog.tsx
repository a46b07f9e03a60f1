import { useState } from 'react'
import { call } from '../../../api/client.ts'
import type { HookKind, NewHook } from '#webhooks/contract'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../../ui/dialog.tsx'
import { SecretOnce } from '../../../ui/secret-once.tsx'
import { errorOf, FormDialog } from '../../../ui/form-dialog.tsx'
import { useRecordChange } from '../record-queries.ts'
import { ChoiceField, TextField } from '../../../ui/text-field.tsx'
import { hookKinds, kindWords } from './hook-words.ts'
import { SetupSteps } from './setup-steps.tsx'
import { WorkflowsField, workflowsOf } from './workflows-field.tsx'

/** First the form, then the secret, which is shown once, and what to do at the sender. */
export function CreateHookDialog({ groupId, onClose }: { groupId: string; onClose: () => void }) {
  const [kind, setKind] = useState<HookKind>('github')
  const [name, setName] = useState('')
  const [workflows, setWorkflows] = useState('')
  const create = useRecordChange<NewHook>(groupId)
  if (create.data) return <CreatedDialog hook={create.data} onClose={onClose} />
  const hasWorkflows = kind === 'github' || kind === 'gitlab'
  const body = {
    kind,
    name: name.trim(),
    group_id: groupId,
    ...(hasWorkflows && { deploy_workflows: workflowsOf(workflows) }),
  }
  return (
    <FormDialog
      title="Create webhook"
      action="Create webhook"
      busy={create.isPending}
      error={create.error}
      onSubmit={() => create.mutate(() => call('POST', '/api/webhooks', { body }))}
      onClose={onClose}
    >
      <ChoiceField
        label="Sender"
        hint={`${kindWords[kind].reports}.`}
        value={kind}
        choices={hookKinds.map((id) => ({ id, label: kindWords[id].name }))}
        onChange={setKind}
      />
      <TextField
        label="Name"
        required
        maxLength={100}
        placeholder="Main repository"
        error={errorOf(create.error, 'name')}
        value={name}
        onChange={setName}
      />
      {hasWorkflows && <WorkflowsField value={workflows} error={create.error} onChange={setWorkflows} />}
    </FormDialog>
  )
}

function CreatedDialog({ hook, onClose }: { hook: NewHook; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={`Webhook “${hook.name}” created`} sticky wide>
      <DialogBody>
        <SecretOnce
          value={hook.secret}
          what="secret"
          warning="It is stored encrypted. If you lose it, give the webhook a new one."
        />
        <SetupSteps hook={hook} />
      </DialogBody>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  )
}
