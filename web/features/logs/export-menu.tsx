import { Download, FileJson, FileSpreadsheet } from 'lucide-react'
import type { LogFilter } from '#usage/contract'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLabel } from '../../ui/menu.tsx'
import { exportAddress } from './log-queries.ts'

/** The browser downloads the file: it may be larger than the memory of a page. */
function download(address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}

export function ExportMenu({ groupId, filter }: { groupId: string; filter: LogFilter }) {
  return (
    <Menu trigger={<Button icon={Download}>Export</Button>}>
      <MenuLabel>All matching requests</MenuLabel>
      <MenuItem icon={FileSpreadsheet} onSelect={() => download(exportAddress(groupId, filter, 'csv'))}>
        CSV
      </MenuItem>
      <MenuItem icon={FileJson} onSelect={() => download(exportAddress(groupId, filter, 'json'))}>
        JSON
      </MenuItem>
    </Menu>
  )
}
