import { useRef, useState, type PointerEvent } from 'react'
import { clsx } from 'clsx'
import { counted, countText } from '../../ui/quantity.ts'
import { labelledBars, zoomOf, type Bar } from './histogram-bars.ts'
import { axisText, spanText, type Span } from '../../ui/period.ts'

interface HistogramProps {
  bars: readonly Bar[]
  span: Span
  onZoom: (period: { since: string; until?: string }) => void
}

const height = 56

/** Events per step, errors in red. Dragging over bars zooms to their time. */
export function Histogram({ bars, span, onZoom }: HistogramProps) {
  const frame = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState<number | null>(null)
  const [start, setStart] = useState<number | null>(null)
  const highest = Math.max(1, ...bars.map(({ count }) => count))
  const total = bars.reduce((sum, { count }) => sum + count, 0)
  const indexOf = ({ clientX }: PointerEvent): number => {
    const { left, width } = frame.current?.getBoundingClientRect() ?? { left: 0, width: 1 }
    return Math.min(bars.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * bars.length)))
  }
  const finish = (event: PointerEvent) => {
    const end = indexOf(event)
    setStart(null)
    // A click without a drag selects nothing: a single bar is too easily hit by accident.
    if (start === null || start === end) return
    const period = zoomOf(bars, start, end, Date.now())
    if (period) onZoom(period)
  }
  return (
    <div>
      <div
        ref={frame}
        role="img"
        aria-label={`${counted(total, 'event')}, ${spanText(span)}`}
        style={{ height }}
        className="relative cursor-crosshair touch-pan-y select-none"
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          setStart(indexOf(event))
        }}
        onPointerMove={(event) => setPointed(indexOf(event))}
        onPointerUp={finish}
        onPointerCancel={() => setStart(null)}
        onPointerLeave={() => start === null && setPointed(null)}
      >
        <Bars bars={bars} highest={highest} />
        {start !== null && pointed !== null && <Selection count={bars.length} one={start} other={pointed} />}
        {pointed !== null && <Readout bars={bars} pointed={pointed} start={start} />}
      </div>
      <Axis bars={bars} span={span} />
    </div>
  )
}

function Bars({ bars, highest }: { bars: readonly Bar[]; highest: number }) {
  // Every bar with an event is visible, however small it is.
  const size = (count: number) => (count === 0 ? 0 : Math.max(2, (count / highest) * height))
  return (
    <svg
      aria-hidden
      width="100%"
      height={height}
      viewBox={`0 0 ${bars.length} ${height}`}
      preserveAspectRatio="none"
      className="block"
    >
      <line x1={0} x2={bars.length} y1={height} y2={height} stroke="var(--line-strong)" strokeWidth={1} />
      {bars.map(({ from, count, errors }, index) => (
        <g key={from}>
          <rect
            x={index + 0.1}
            width={0.8}
            y={height - size(count)}
            height={size(count)}
            fill="var(--series-1)"
            opacity={0.75}
          />
          <rect
            x={index + 0.1}
            width={0.8}
            y={height - size(errors)}
            height={size(errors)}
            fill="var(--danger-strong)"
          />
        </g>
      ))}
    </svg>
  )
}

function Selection({ count, one, other }: { count: number; one: number; other: number }) {
  const [low, high] = one < other ? [one, other] : [other, one]
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute inset-y-0 rounded-sm border-x-2 border-primary bg-primary/20"
      style={{ left: `${(low / count) * 100}%`, width: `${((high - low + 1) / count) * 100}%` }}
    />
  )
}

interface ReadoutProps {
  bars: readonly Bar[]
  pointed: number
  start: number | null
}

/** The bar under the pointer, or all bars of the selection. */
function Readout({ bars, pointed, start }: ReadoutProps) {
  const from = Math.min(pointed, start ?? pointed)
  const chosen = bars.slice(from, Math.max(pointed, start ?? pointed) + 1)
  const [first, last] = [chosen[0], chosen.at(-1)]
  if (!first || !last) return null
  const sum = (part: 'count' | 'errors') => chosen.reduce((total, bar) => total + bar[part], 0)
  const place = ((pointed + 0.5) / bars.length) * 100
  return (
    <div
      aria-hidden
      className={clsx(
        'pointer-events-none absolute top-0 z-10 rounded-lg border border-line bg-surface px-2.5 py-1.5 text-xs whitespace-nowrap shadow-high',
        place > 50 ? '-translate-x-[calc(100%+0.75rem)]' : 'translate-x-3',
      )}
      style={{ left: `${place}%` }}
    >
      <p className="font-medium">{spanText({ from: first.from, to: last.to })}</p>
      <p className="text-ink-soft">
        {counted(sum('count'), 'event')}
        {sum('errors') > 0 && <span className="text-danger">, {countText(sum('errors'))} errors</span>}
      </p>
    </div>
  )
}

function Axis({ bars, span }: { bars: readonly Bar[]; span: Span }) {
  return (
    <div aria-hidden className="relative mt-1 h-4 overflow-hidden text-xs text-ink-faint">
      {labelledBars(bars, 6).map((bar, index) => (
        <span
          key={bar.from}
          className={clsx('absolute whitespace-nowrap', index % 2 === 1 && 'max-sm:hidden')}
          style={{ left: `${(bars.indexOf(bar) / bars.length) * 100}%` }}
        >
          {axisText(bar.from, span)}
        </span>
      ))}
    </div>
  )
}
