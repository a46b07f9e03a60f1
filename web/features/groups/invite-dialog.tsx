import { useState, type FormEvent } from 'react'
import type { Group, NewInvitation, Role } from '#access/contract'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input, Select } from '../../ui/input.tsx'
import { dayOf } from '../../ui/moment.ts'
import { FailureNotice } from '../../ui/notice.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'
import { useInvite } from './group-queries.ts'
import { roleMeanings, roleNames, rolesToGive } from './roles.ts'

interface InviteDialogProps {
  group: Group
  open: boolean
  onClose: () => void
}

/** Asks for the role, then shows the link, once. */
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
      description="You get a link to send. Whoever opens it chooses their own password."
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
              {rolesToGive(ownRole).map((choice) => (
                <option key={choice} value={choice}>
                  {roleNames[choice]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="E-mail (optional)" hint="With an address, only that person can use the link.">
          {(ids) => (
            <Input
              {...ids}
              type="email"
              maxLength={254}
              autoComplete="off"
              placeholder="name@example.com"
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
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
  const whoever = invitation.email ?? 'Whoever has it'
  return (
    <Dialog open={open} onClose={onClose} title="The link is ready" sticky>
      <DialogBody>
        <SecretOnce
          value={invitation.url}
          what="link"
          warning={`${whoever} may join as ${invitation.role} until ${dayOf(invitation.expires_at)}. Send it in private.`}
        />
      </DialogBody>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          I have copied it
        </Button>
      </DialogActions>
    </Dialog>
  )
}
