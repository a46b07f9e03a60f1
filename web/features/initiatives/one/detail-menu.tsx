import { EllipsisVertical, Pencil, Trash2 } from 'lucide-react'
import { IconButton } from '../../../ui/button.tsx'
import { Menu, MenuItem } from '../../../ui/menu.tsx'

interface DetailMenuProps {
  /** Such as "criterion". */
  noun: string
  name: string
  onEdit?: () => void
  onRemove: () => void
}

export function DetailMenu({ noun, name, onEdit, onRemove }: DetailMenuProps) {
  return (
    <Menu trigger={<IconButton label={`Actions for ${name}`} icon={EllipsisVertical} className="-my-1" />}>
      {onEdit && (
        <MenuItem icon={Pencil} onSelect={onEdit}>
          Edit {noun}
        </MenuItem>
      )}
      <MenuItem icon={Trash2} danger onSelect={onRemove}>
        Remove {noun}
      </MenuItem>
    </Menu>
  )
}
