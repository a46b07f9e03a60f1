import { Download, Rows3, SlidersHorizontal } from 'lucide-react'
import { IconButton } from './button.tsx'
import { Menu, MenuItem, MenuLabel, MenuLine } from './menu.tsx'
import type { useTableView } from './table-view.ts'

interface TableOptionsProps {
  label: string
  /** Those that can be hidden. */
  columns: readonly string[]
  view: ReturnType<typeof useTableView>
  onDownload: () => void
}

/** Density, columns and a file of what is shown. A phone shows cards, which have none of them. */
export function TableOptions({ label, columns, view, onDownload }: TableOptionsProps) {
  return (
    <div className="absolute top-0.5 right-1 hidden md:block">
      <Menu
        trigger={
          <IconButton label={`Options of the table ${label}`} icon={SlidersHorizontal} className="size-7" />
        }
      >
        <MenuItem icon={Rows3} checked={view.isCompact} onSelect={view.toggleCompact}>
          Compact rows
        </MenuItem>
        <MenuItem icon={Download} onSelect={onDownload}>
          Download CSV
        </MenuItem>
        <MenuLine />
        <MenuLabel>Columns</MenuLabel>
        {columns.map((name) => (
          <MenuItem key={name} checked={!view.hidden.includes(name)} onSelect={() => view.toggle(name)}>
            {name}
          </MenuItem>
        ))}
      </Menu>
    </div>
  )
}
