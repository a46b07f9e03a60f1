import { useEffect, useRef, useState } from 'react'
import './valid-locale.ts'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { chartOptions, drawnData } from './chart-options.ts'
import { pickedSeries } from './picked-series.ts'
import type { ChartSeries } from './chart-series.ts'
import { stripeUnfinished } from './unfinished.ts'
import { useAppliedTheme } from './use-applied-theme.ts'

export interface ChartProps {
  /** What it shows, for screen readers; the table has the numbers. */
  label: string
  /** One name per step. */
  steps: readonly string[]
  series: readonly ChartSeries[]
  /** Stacked columns, or lines. */
  form: 'stack' | 'lines'
  /** The total of each step, where totals make sense. */
  totals?: readonly string[] | undefined
  /** A faint dashed line: the previous period. */
  ghost?: ChartSeries | undefined
  formatAxis: (value: number) => string
  height: number
  /** A click on a step, and on one of its series where the pointer is on it. */
  onPick?: ((index: number, series: string | undefined) => void) | undefined
}

export default function Chart(props: ChartProps) {
  const { label, steps, series, form, ghost, formatAxis, height, onPick } = props
  const frame = useRef<HTMLDivElement>(null)
  const theme = useAppliedTheme()
  const [pointed, setPointed] = useState<Pointed | null>(null)

  useEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const onCursor = (plot: uPlot) => {
      const { idx, left = -1 } = plot.cursor
      const isOn = typeof idx === 'number' && left >= 0
      setPointed(
        isOn ? { index: idx, left: plot.valToPos(idx, 'x') + plot.bbox.left / devicePixelRatio } : null,
      )
    }
    const size = () => ({ width: element.clientWidth, height })
    const options = chartOptions({ steps, series, form, ghost, formatAxis, element })
    const surface = getComputedStyle(element).getPropertyValue('--surface').trim()
    const draw = form === 'stack' ? [stripeUnfinished(steps, surface)] : []
    const plot = new uPlot(
      { ...options, ...size(), hooks: { setCursor: [onCursor], draw } },
      drawnData(props),
      element,
    )
    const observer = new ResizeObserver(() => plot.setSize(size()))
    observer.observe(element)
    const onClick = () => {
      const { idx, top = -1 } = plot.cursor
      if (typeof idx === 'number') onPick?.(idx, pickedSeries({ series, form }, idx, plot.posToVal(top, 'y')))
    }
    plot.over.addEventListener('click', onClick)
    if (onPick) plot.over.style.cursor = 'pointer'
    return () => {
      observer.disconnect()
      plot.destroy()
    }
    // The theme's colours are read when it is drawn.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [steps, series, form, ghost, formatAxis, height, theme, onPick])

  return (
    <div className="relative">
      <div ref={frame} role="img" aria-label={label} style={{ height }} className="overflow-hidden" />
      {pointed && <Readout {...props} {...pointed} width={frame.current?.clientWidth ?? 0} />}
    </div>
  )
}

interface Pointed {
  index: number
  left: number
}

/** The exact values of the step under the pointer. */
function Readout({
  steps,
  series,
  totals,
  ghost,
  index,
  left,
  width,
}: ChartProps & Pointed & { width: number }) {
  const shown = [
    ...series.filter(({ values }) => series.length < 4 || values[index] !== 0),
    ...(ghost ? [ghost] : []),
  ]
  const isRight = left > width / 2
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute top-2 z-10 max-w-72 min-w-40 rounded-lg border border-line bg-surface px-3 py-2 text-xs shadow-high"
      style={isRight ? { right: width - left + 12 } : { left: left + 12 }}
    >
      <p className="mb-1 flex justify-between gap-4 font-medium">
        <span>{steps[index]}</span>
        <span>{totals?.[index]}</span>
      </p>
      {shown.map(({ name, colour, texts }) => (
        <p key={name} className="flex items-center gap-2 text-ink-soft">
          <span className="size-2 shrink-0 rounded-sm" style={{ background: `var(${colour})` }} />
          <span className="min-w-0 flex-1 truncate">{name}</span>
          <span className="pl-2 text-ink">{texts[index]}</span>
        </p>
      ))}
    </div>
  )
}
