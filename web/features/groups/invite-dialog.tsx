import { useState, type FormEvent } from 'react'
import type { Group, NewInvitation, Role } from '#access/contract'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/input.tsx'
import { dayOf } from '../../ui/moment.ts'
import { FailureNotice } from '../../ui/notice.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'
import { useInvite } from './group-queries.ts'
import { roleMeanings, roleNames, grantableRoles } from './roles.ts'
import { TextField } from '../../ui/text-field.tsx'

interface InviteDialogProps {
  group: Group
  open: boolean
  onClose: () => void
}

/** Asks for the role, then shows the link once. */
export function InviteDialog({ group, open, onClose }: InviteDialogProps) {
  const invite = useInvite(group.id)
  const close = () => {
    onClose()
    invite.reset()
  }
  if (invite.data) return <LinkDialog invitation={invite.data} open={open} onClose={close} />
  return (
    <Dialog
      open={open}
      onClose={close}
      title={`Invite to ${group.name}`}
      description="Creates a link to send. The invited person chooses their own password."
    >
      <InviteForm
        ownRole={group.role}
        busy={invite.isPending}
        error={invite.error}
        onCancel={close}
        onSubmit={(body) => invite.mutate(body)}
      />
    </Dialog>
  )
}

interface InviteFormProps {
  ownRole: Role
  busy: boolean
  error: unknown
  onCancel: () => void
  onSubmit: (body: { role: Role; email?: string }) => void
}

function InviteForm({ ownRole, busy, error, onCancel, onSubmit }: InviteFormProps) {
  const [role, setRole] = useState<Role>('member')
  const [email, setEmail] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit({ role, ...(email.trim() === '' ? {} : { email: email.trim() }) })
  }
  return (
    <form onSubmit={submit}>
      <DialogBody>
        <Field label="Role" hint={roleMeanings[role]}>
          {(ids) => (
            <Select {...ids} value={role} onChange={(event) => setRole(event.target.value as Role)}>
              {grantableRoles(ownRole).map((choice) => (
                <option key={choice} value={choice}>
                  {roleNames[choice]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <TextField
          label="Email (optional)"
          hint="If set, only this address can use the link."
          type="email"
          maxLength={254}
          autoComplete="off"
          placeholder="name@example.com"
          value={email}
          onChange={setEmail}
        />
        {error !== null && <FailureNotice error={error} />}
      </DialogBody>
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" busy={busy}>
          Create link
        </Button>
      </DialogActions>
    </form>
  )
}

function LinkDialog({
  invitation,
  open,
  onClose,
}: {
  invitation: NewInvitation
  open: boolean
  onClose: () => void
}) {
  const invited = invitation.email ?? 'Anyone with the link'
  return (
    <Dialog open={open} onClose={onClose} title="Invitation link created" sticky>
      <DialogBody>
        <SecretOnce
          value={invitation.url}
          what="link"
          warning={`${invited} can join as ${invitation.role} until ${dayOf(invitation.expires_at)}. Send it privately.`}
        />
      </DialogBody>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  )
}
