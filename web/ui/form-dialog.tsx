import type { FormEvent, ReactNode } from 'react'
import type { QueryKey } from '@tanstack/react-query'
import { toast } from 'sonner'
import { ApiError } from '../api/client.ts'
import { useChange } from '../api/refresh-queries.ts'
import { Button } from './button.tsx'
import { Dialog, DialogActions, DialogBody } from './dialog.tsx'
import { FailureNotice } from './notice.tsx'

interface FormDialogProps {
  title: string
  description?: ReactNode
  /** The label of the button, such as "Add service". */
  action: string
  busy: boolean
  error: unknown
  wide?: boolean
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/** A form over the page. It stays open, with what was typed, until the server has accepted it. */
export function FormDialog(props: FormDialogProps) {
  const { title, description, action, busy, error, wide, onSubmit, onClose, children } = props
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      wide={wide ?? false}
      sticky
      {...(description === undefined ? {} : { description })}
    >
      <form onSubmit={submit} className="flex min-h-0 flex-1 flex-col">
        <DialogBody>
          {children}
          {error !== null && <FailureNotice error={error} />}
        </DialogBody>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={busy}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** A form that sends one change: what it hands to its dialog. It says what is done, and closes. */
export function useForm(
  queryKey: QueryKey,
  done: string,
  onClose: () => void,
  send: () => Promise<unknown>,
): Pick<FormDialogProps, 'busy' | 'error' | 'onSubmit' | 'onClose'> {
  const { mutate, isPending, error } = useChange(queryKey, send)
  const onSuccess = () => {
    toast.success(done)
    onClose()
  }
  return { busy: isPending, error, onClose, onSubmit: () => mutate(undefined, { onSuccess }) }
}

/** The message of the server for one field of the form. */
export function errorOf(error: unknown, field: string): string | undefined {
  return error instanceof ApiError && error.param === field ? error.message : undefined
}
