import { Columns3 } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { CheckMenu } from '../../ui/check-menu.tsx'
import { columns, usualColumns } from './columns.tsx'

const options = columns.map(({ id, title }) => ({ value: id, label: title }))

interface ColumnMenuProps {
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

export function ColumnMenu({ chosen, onChange }: ColumnMenuProps) {
  return (
    <CheckMenu
      label="Columns"
      trigger={<Button icon={Columns3}>Columns</Button>}
      options={options}
      chosen={chosen}
      onChange={onChange}
      reset={{ label: 'Reset', chosen: usualColumns }}
    />
  )
}
