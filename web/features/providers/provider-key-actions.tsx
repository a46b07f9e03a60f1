import { useState } from 'react'
import { FlaskConical, Pencil, Trash2 } from 'lucide-react'
import { toast } from 'sonner'
import { adviceFor } from '../../api/advice.ts'
import { Button } from '../../ui/button.tsx'
import { ChangeKeyDialog } from './change-key-dialog.tsx'
import { DeleteKeyDialog, type KeyDialogProps } from './delete-key-dialog.tsx'
import { useTestKey } from './provider-queries.ts'
import { reportTest } from './test-words.ts'

interface ProviderKeyActionsProps extends Omit<KeyDialogProps, 'onClose'> {
  onDeleted: () => void
}

export function ProviderKeyActions({ onDeleted, ...given }: ProviderKeyActionsProps) {
  const [open, setOpen] = useState<'change' | 'delete' | null>(null)
  const test = useTestKey(given.groupId)
  const dialog = { ...given, onClose: () => setOpen(null) }
  return (
    <>
      <Button
        icon={FlaskConical}
        busy={test.isPending}
        onClick={() =>
          test.mutate(given.apiKey.id, {
            onSuccess: (result) => reportTest(result),
            onError: (error) => toast.error(adviceFor(error).title, { description: adviceFor(error).next }),
          })
        }
      >
        Test key
      </Button>
      <Button icon={Pencil} onClick={() => setOpen('change')}>
        Edit key
      </Button>
      <Button look="quiet" icon={Trash2} onClick={() => setOpen('delete')}>
        Delete key
      </Button>
      {open === 'change' && <ChangeKeyDialog {...dialog} />}
      {open === 'delete' && <DeleteKeyDialog {...dialog} onDeleted={onDeleted} />}
    </>
  )
}
