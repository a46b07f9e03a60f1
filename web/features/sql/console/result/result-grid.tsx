import { useState } from 'react'
import type { Executed } from '#sql/contract'
import { countText, durationText, counted } from '../../../../ui/quantity.ts'
import { ExportButtons } from './export-buttons.tsx'
import { Grid } from './grid.tsx'
import type { GridPlace } from './grid-keys.ts'
import { ValuePanel } from './value-panel.tsx'

type Result = Pick<Executed, 'columns' | 'rows' | 'row_count' | 'truncated' | 'rows_affected' | 'duration_ms'>

/** A result as a grid, with its export. A value opens beside it. */
export function ResultGrid({ result }: { result: Result }) {
  const [open, setOpen] = useState<GridPlace>()
  const rows = result.rows as Record<string, unknown>[]
  const column = open && result.columns[open.column]
  return (
    <section aria-label="Result" className="space-y-2">
      <div className="flex flex-wrap items-center justify-between gap-2 text-sm text-ink-soft">
        <p role="status">{summaryOf(result)}</p>
        {rows.length > 0 && <ExportButtons columns={result.columns} rows={rows} />}
      </div>
      {result.columns.length > 0 && <Grid columns={result.columns} rows={rows} onOpen={setOpen} />}
      {open && column && (
        <ValuePanel
          column={column}
          row={open.row + 1}
          value={rows[open.row]?.[column.name] ?? null}
          onClose={() => setOpen(undefined)}
        />
      )}
    </section>
  )
}

function summaryOf({ row_count, rows_affected, truncated, duration_ms, columns }: Result): string {
  const affected = rows_affected === null ? '' : `${counted(rows_affected, 'row')} changed, `
  const returned = columns.length === 0 ? '' : `${counted(row_count, 'row')}, `
  const more = truncated ? `. There are more: these are the first ${countText(row_count)}.` : ''
  return `${affected}${returned}${durationText(duration_ms)}${more}`
}
