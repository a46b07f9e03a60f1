import { useState } from 'react'
import {
  CircleCheck,
  EllipsisVertical,
  Eye,
  FlaskConical,
  Pencil,
  Power,
  PowerOff,
  Trash2,
} from 'lucide-react'
import { toast } from 'sonner'
import type { ProviderKey } from '#vault/contract'
import { adviceFor } from '../../api/advice.ts'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { ChangeKeyDialog } from './change-key-dialog.tsx'
import { DeleteKeyDialog } from './delete-key-dialog.tsx'
import { useActOnKey, useTestKey } from './provider-queries.ts'
import { RevealDialog } from './reveal-dialog.tsx'
import { reportTest } from './test-words.ts'

interface KeyMenuProps {
  apiKey: ProviderKey
  groupId: string
  providerName: string
}

const messages = {
  'set-default': 'set as default',
  activate: 'activated',
  deactivate: 'deactivated',
}

export function KeyMenu({ apiKey, groupId, providerName }: KeyMenuProps) {
  const act = useActOnKey(groupId)
  const test = useTestKey(groupId)
  const [open, setOpen] = useState<'change' | 'reveal' | 'delete' | null>(null)
  const close = () => setOpen(null)
  const fail = (error: unknown) => toast.error(adviceFor(error).title, { description: adviceFor(error).next })
  const run = (action: keyof typeof messages) => () =>
    act.mutate(
      { id: apiKey.id, action },
      {
        onSuccess: () => toast.success(`Key “${apiKey.name}” ${messages[action]}`),
        onError: fail,
      },
    )
  const dialog = { apiKey, groupId, providerName, onClose: close }
  return (
    <>
      <Menu trigger={<IconButton label={`Actions for ${apiKey.name}`} icon={EllipsisVertical} />}>
        {!apiKey.is_default && apiKey.is_active && (
          <MenuItem icon={CircleCheck} onSelect={run('set-default')}>
            Set as default
          </MenuItem>
        )}
        {apiKey.is_active ? (
          <MenuItem icon={PowerOff} onSelect={run('deactivate')}>
            Deactivate key
          </MenuItem>
        ) : (
          <MenuItem icon={Power} onSelect={run('activate')}>
            Activate key
          </MenuItem>
        )}
        <MenuItem
          icon={FlaskConical}
          onSelect={() =>
            test.mutate(apiKey.id, { onSuccess: (result) => reportTest(result), onError: fail })
          }
        >
          Test key
        </MenuItem>
        <MenuItem icon={Pencil} onSelect={() => setOpen('change')}>
          Edit key
        </MenuItem>
        <MenuItem icon={Eye} onSelect={() => setOpen('reveal')}>
          Reveal key
        </MenuItem>
        <MenuLine />
        <MenuItem icon={Trash2} danger onSelect={() => setOpen('delete')}>
          Delete key
        </MenuItem>
      </Menu>
      {open === 'change' && <ChangeKeyDialog {...dialog} />}
      {open === 'reveal' && <RevealDialog {...dialog} />}
      {open === 'delete' && <DeleteKeyDialog {...dialog} />}
    </>
  )
}
