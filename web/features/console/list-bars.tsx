import { ArrowUp, Radio, RotateCw } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { counted } from '../../ui/quantity.ts'

interface NewEventsProps {
  count: number
  isSearch: boolean
  onShow: () => void
}

/** New events never move what is being read: they wait behind this button. */
export function NewEvents({ count, isSearch, onShow }: NewEventsProps) {
  if (count === 0) return null
  return (
    <div className="pointer-events-none sticky top-18 z-10 flex h-0 justify-center sm:top-40 lg:top-28">
      <Button
        look="primary"
        size="small"
        icon={isSearch ? RotateCw : ArrowUp}
        className="pointer-events-auto animate-rise rounded-full! shadow-high"
        onClick={onShow}
      >
        {isSearch ? `Search again: ${counted(count, 'new event')}` : counted(count, 'new event')}
      </Button>
    </div>
  )
}

/** Above a list that shows the surroundings of one event. */
export function ContextBar({ hasFilter, onBack }: { hasFilter: boolean; onBack: () => void }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 rounded-xl bg-info-soft px-4 py-2 text-sm text-info">
      <p>All events around the highlighted one{hasFilter && ', without your filters'}.</p>
      <Button size="small" icon={Radio} onClick={onBack}>
        {hasFilter ? 'Back to the filtered list' : 'Back to live events'}
      </Button>
    </div>
  )
}
