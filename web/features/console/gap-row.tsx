import { CircleAlert, LoaderCircle, ListPlus } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { countText } from '../../ui/quantity.ts'
import type { GapRow } from './rows.ts'

interface GapLineProps {
  row: GapRow
  isLoading: boolean
  hasFailed: boolean
  onLoad: (key: string) => void
}

/** Says in place what the stream left out, and loads it. */
export function GapLine({ row, isLoading, hasFailed, onLoad }: GapLineProps) {
  const what = row.count === null ? 'Some events were skipped' : `${countText(row.count)} skipped`
  return (
    <div
      role="row"
      className="flex h-full items-center justify-center gap-2 border-b border-line bg-accent-soft px-4 text-sm text-accent"
    >
      <span role="cell" className="flex items-center gap-2">
        {isLoading ? (
          <LoaderCircle aria-hidden className="size-4 animate-spin" />
        ) : (
          <CircleAlert aria-hidden className="size-4" />
        )}
        {hasFailed ? `${what}. Loading failed.` : what}
        <Button
          look="quiet"
          size="small"
          icon={ListPlus}
          className="h-6! text-accent!"
          disabled={isLoading}
          onClick={() => onLoad(row.key)}
        >
          Load them
        </Button>
      </span>
    </div>
  )
}
