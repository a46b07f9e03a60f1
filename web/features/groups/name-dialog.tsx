import { useState, type FormEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { FailureNotice } from '../../ui/notice.tsx'

interface NameDialogProps {
  open: boolean
  onClose: () => void
  title: string
  action: string
  name?: string
  busy: boolean
  error: unknown
  onSubmit: (name: string) => void
}

export function NameDialog({ open, onClose, title, ...form }: NameDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <NameForm onClose={onClose} {...form} />
    </Dialog>
  )
}

function NameForm({
  onClose,
  action,
  name = '',
  busy,
  error,
  onSubmit,
}: Omit<NameDialogProps, 'open' | 'title'>) {
  const [text, setText] = useState(name)
  const [problem, setProblem] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') setProblem('Enter a name, such as a team or project.')
    else onSubmit(text.trim())
  }
  return (
    <form onSubmit={submit}>
      <DialogBody>
        <Field label="Name" error={problem}>
          {(ids) => (
            <Input
              {...ids}
              autoFocus
              maxLength={100}
              autoComplete="off"
              value={text}
              onChange={(event) => {
                setText(event.target.value)
                setProblem(undefined)
              }}
            />
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
