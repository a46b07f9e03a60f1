import type { ReactNode } from 'react'
import { toast } from 'sonner'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { useInitiativeChange } from '../initiative-queries.ts'
import type { Place } from './place.ts'

interface RemoveDialogProps {
  place: Place
  remove: (path: { id: string; detail: string }) => Promise<unknown>
  /** The ID of what belongs to the initiative; without it the initiative itself goes. */
  detail?: string
  /** What it is, such as "finding". */
  noun: string
  onClose: () => void
  onRemoved?: () => void
  children: ReactNode
}

export function RemoveDialog({
  place,
  remove,
  detail = '',
  noun,
  onClose,
  onRemoved,
  children,
}: RemoveDialogProps) {
  const { mutate, isPending, error } = useInitiativeChange(place.groupId)
  const onSuccess = () => {
    toast.success(`${noun.slice(0, 1).toUpperCase()}${noun.slice(1)} removed`)
    onClose()
    onRemoved?.()
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Remove ${noun}?`}
      action={`Remove ${noun}`}
      busy={isPending}
      error={error}
      onConfirm={() => mutate(() => remove({ id: place.initiative.id, detail }), { onSuccess })}
    >
      {children}
    </ConfirmDialog>
  )
}
