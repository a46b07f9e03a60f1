import { useMemo } from 'react'
import type { EventStats } from '#console/contract'
import { countText } from '../../ui/quantity.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useNarrow } from '../../ui/use-narrow.ts'
import { barsOf } from './histogram-bars.ts'
import { Histogram } from './histogram.tsx'
import { periodText, spanOf, type Period } from '../../ui/period.ts'

interface HistogramCardProps {
  data: EventStats | undefined
  updatedAt: number
  hasFailed: boolean
  period: Period
  /** The counts do not know metadata. */
  hasMetadata: boolean
  onZoom: (period: Period) => void
}

/** How many events there were when; the list below shows the same period. */
export function HistogramCard(props: HistogramCardProps) {
  const isNarrow = useNarrow()
  const { data, updatedAt, hasFailed, period, hasMetadata, onZoom } = props
  const drawn = useMemo(() => {
    if (!data) return null
    const span = spanOf(period, updatedAt)
    return { span, bars: barsOf(data.timeline, span, isNarrow ? 48 : 120) }
  }, [data, updatedAt, period, isNarrow])
  return (
    <section
      aria-label="Events over time"
      className="mb-3 rounded-xl border border-line bg-surface px-4 pt-3 pb-2 shadow-low"
    >
      <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-4 text-xs text-ink-faint">
        <p>
          {periodText(period)}
          {hasMetadata && ' · whatever the metadata'}
          <span className="max-sm:hidden"> · drag to zoom</span>
        </p>
        {data && (
          <p>
            <span className="font-medium text-ink">{countText(data.total)}</span>
            {data.total === 1 ? ' event' : ' events'}
          </p>
        )}
      </div>
      {drawn ? (
        <Histogram {...drawn} onZoom={onZoom} />
      ) : hasFailed ? (
        <p className="grid h-[76px] place-items-center text-sm text-ink-faint">
          The counts could not be loaded.
        </p>
      ) : (
        <Skeleton className="h-[76px]" />
      )}
    </section>
  )
}
