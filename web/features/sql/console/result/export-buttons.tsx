import { Copy, Download, FileJson, Table2 } from 'lucide-react'
import { toast } from 'sonner'
import type { Executed } from '#sql/contract'
import { Button } from '../../../../ui/button.tsx'
import { copyText } from '../../../../ui/copy-button.tsx'
import { asCsv } from '../../../../ui/csv.ts'
import { Menu, MenuItem } from '../../../../ui/menu.tsx'
import { saveFile } from '../../../../ui/save-file.ts'

interface ExportButtonsProps {
  columns: Executed['columns']
  rows: readonly Record<string, unknown>[]
}

/** The rows that were returned, as a file or on the clipboard. */
export function ExportButtons({ columns, rows }: ExportButtonsProps) {
  const csv = () => asCsv(columns, rows)
  const json = () => JSON.stringify(rows, null, 2)
  const copy = async (text: string) => {
    if (await copyText(text)) toast.success('Result copied')
  }
  return (
    <Menu
      trigger={
        <Button size="small" icon={Download}>
          Export
        </Button>
      }
    >
      <MenuItem icon={Table2} onSelect={() => saveFile('result.csv', 'text/csv', csv())}>
        Download CSV
      </MenuItem>
      <MenuItem icon={FileJson} onSelect={() => saveFile('result.json', 'application/json', json())}>
        Download JSON
      </MenuItem>
      <MenuItem icon={Copy} onSelect={() => void copy(csv())}>
        Copy as CSV
      </MenuItem>
      <MenuItem icon={Copy} onSelect={() => void copy(json())}>
        Copy as JSON
      </MenuItem>
    </Menu>
  )
}
