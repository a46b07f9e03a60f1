import type { ReactNode } from 'react'
import { toast } from 'sonner'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useRecordChange } from './record-queries.ts'

interface DeleteDialogProps {
  groupId: string
  remove: () => Promise<unknown>
  /** What it is, such as "deployment". */
  noun: string
  name: string
  onClose: () => void
  /** After it was deleted; otherwise the dialog only closes. */
  onDeleted?: () => void
  children: ReactNode
}

export function DeleteDialog({
  groupId,
  remove,
  noun,
  name,
  onClose,
  onDeleted,
  children,
}: DeleteDialogProps) {
  const change = useRecordChange(groupId)
  const onSuccess = () => {
    toast.success(`${noun.slice(0, 1).toUpperCase()}${noun.slice(1)} deleted`)
    onClose()
    onDeleted?.()
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete “${name}”?`}
      action={`Delete ${noun}`}
      busy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate(remove, { onSuccess })}
    >
      {children}
    </ConfirmDialog>
  )
}
