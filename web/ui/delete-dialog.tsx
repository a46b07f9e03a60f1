import type { ReactNode } from 'react'
import type { QueryKey } from '@tanstack/react-query'
import { toast } from 'sonner'
import { useChange } from '../api/refresh-queries.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface DeleteDialogProps {
  /** What is reloaded afterwards. */
  queryKey: QueryKey
  remove: () => Promise<unknown>
  /** A part of something else is removed from it. */
  verb?: 'Delete' | 'Remove'
  /** What it is, such as "deployment". */
  noun: string
  name?: string
  onClose: () => void
  /** After it was deleted; otherwise the dialog only closes. */
  onDeleted?: (() => void) | undefined
  children: ReactNode
}

export function DeleteDialog(props: DeleteDialogProps) {
  const { queryKey, remove, verb = 'Delete', noun, name, onClose, onDeleted, children } = props
  const { mutate, isPending, error } = useChange(queryKey, remove)
  const onSuccess = () => {
    toast.success(`${noun.slice(0, 1).toUpperCase()}${noun.slice(1)} ${verb.toLowerCase()}d`)
    onClose()
    onDeleted?.()
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`${verb} ${name === undefined ? noun : `“${name}”`}?`}
      action={`${verb} ${noun}`}
      busy={isPending}
      error={error}
      onConfirm={() => mutate(undefined, { onSuccess })}
    >
      {children}
    </ConfirmDialog>
  )
}
