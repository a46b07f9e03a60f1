import { EllipsisVertical, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'

interface RowMenuProps {
  name: string
  noun: string
  onEdit: () => void
  /** Undefined where it cannot be deleted. */
  onDelete?: () => void
  /** More entries, above these. */
  children?: ReactNode
}

export function RowMenu({ name, noun, onEdit, onDelete, children }: RowMenuProps) {
  return (
    <Menu trigger={<IconButton label={`Actions for ${name}`} icon={EllipsisVertical} />}>
      {children}
      <MenuItem icon={Pencil} onSelect={onEdit}>
        Edit {noun}
      </MenuItem>
      {onDelete && (
        <MenuItem icon={Trash2} danger onSelect={onDelete}>
          Delete {noun}
        </MenuItem>
      )}
    </Menu>
  )
}
