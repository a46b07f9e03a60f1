import { useState, type FormEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/input.tsx'
import { timeZone } from '../../ui/moment.ts'
import { FailureNotice } from '../../ui/notice.tsx'
import type { GroupInput } from './group-queries.ts'
import { TextField } from '../../ui/text-field.tsx'

interface GroupDialogProps {
  open: boolean
  onClose: () => void
  title: string
  action: string
  /** The group to change; a new one has the time zone of the page. */
  group?: GroupInput
  busy: boolean
  error: unknown
  onSubmit: (input: GroupInput) => void
}

export function GroupDialog({ open, onClose, title, ...form }: GroupDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <GroupForm onClose={onClose} {...form} />
    </Dialog>
  )
}

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]

function GroupForm({
  onClose,
  action,
  group,
  busy,
  error,
  onSubmit,
}: Omit<GroupDialogProps, 'open' | 'title'>) {
  const [name, setName] = useState(group?.name ?? '')
  const [zone, setZone] = useState(group ? group.time_zone : timeZone())
  const [problem, setProblem] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') setProblem('Enter a name, such as a team or project.')
    else onSubmit({ name: name.trim(), time_zone: zone })
  }
  return (
    <form onSubmit={submit}>
      <DialogBody>
        <TextField
          label="Name"
          error={problem}
          autoFocus
          maxLength={100}
          autoComplete="off"
          value={name}
          onChange={(text) => {
            setName(text)
            setProblem(undefined)
          }}
        />
        <Field
          label="Time zone"
          hint="All pages of the group show times in it. Usage counts UTC days, as providers’ invoices do."
        >
          {(ids) => (
            <Select {...ids} value={zone ?? ''} onChange={(event) => setZone(event.target.value || null)}>
              <option value="">Each reader’s own</option>
              {zone !== null && !zones.includes(zone) && <option>{zone}</option>}
              {zones.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </Select>
          )}
        </Field>
        {error !== null && <FailureNotice error={error} />}
      </DialogBody>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" busy={busy}>
          {action}
        </Button>
      </DialogActions>
    </form>
  )
}
