import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogActions, DialogBody } from './dialog.tsx'
import { FailureNotice } from './notice.tsx'

interface ConfirmDialogProps {
  open: boolean
  onClose: () => void
  title: string
  /** The label of the button, such as "Revoke key". */
  action: string
  onConfirm: () => void
  busy: boolean
  error: unknown
  children: ReactNode
}

/** Asks before an action that cannot be undone; errors are shown in place. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, onClose, title, action, onConfirm, busy, error, children } = props
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <DialogBody>
        <div className="space-y-2 text-sm text-ink-soft">{children}</div>
        {error !== null && <FailureNotice error={error} />}
      </DialogBody>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
