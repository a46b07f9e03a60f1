import { lazy, Suspense, useState, type ReactNode } from 'react'
import { ChartColumn, Table2 } from 'lucide-react'
import { loadWhenReachable } from '../api/load-when-reachable.ts'
import { IconButton } from './button.tsx'
import type { ChartProps } from './chart.tsx'
import type { ChartSeries } from './chart-series.ts'
import { Card } from './page.tsx'
import { Skeleton } from './skeleton.tsx'

const Chart = lazy(() => loadWhenReachable(() => import('./chart.tsx')))

interface ChartCardProps extends ChartProps {
  title: string
  description: string
  /** The title of the first column of the table. */
  stepName: string
  isPending: boolean
  /** A cell of the table as a link to the records behind it. */
  linkCell?: LinkCell | undefined
}

type LinkCell = (index: number, series: string | undefined, text: string) => ReactNode

/** A chart with its legend, and the same data as a table. */
export function ChartCard(props: ChartCardProps) {
  const { title, description, stepName, isPending, linkCell, ...chart } = props
  const [isTable, setTable] = useState(false)
  const all = chart.ghost ? [...chart.series, chart.ghost] : chart.series
  return (
    <Card
      title={title}
      description={description}
      action={
        <IconButton
          label={isTable ? 'Show as chart' : 'Show as table'}
          icon={isTable ? ChartColumn : Table2}
          aria-pressed={isTable}
          onClick={() => setTable(!isTable)}
        />
      }
    >
      {/* The height is reserved from the start, so that nothing below moves when the chart loads. */}
      <div style={{ minHeight: chart.height }}>
        {isPending ? (
          <ChartSkeleton height={chart.height} />
        ) : isTable ? (
          <SeriesTable
            label={title}
            stepName={stepName}
            steps={chart.steps}
            series={all}
            totals={chart.totals}
            linkCell={linkCell ?? plainCell}
          />
        ) : (
          <Suspense fallback={<ChartSkeleton height={chart.height} />}>
            <Chart {...chart} />
          </Suspense>
        )}
      </div>
      <Legend series={chart.series} ghost={chart.ghost} />
    </Card>
  )
}

function ChartSkeleton({ height }: { height: number }) {
  return (
    <div style={{ height }} className="pb-6">
      <Skeleton className="h-full" />
    </div>
  )
}

function Legend({ series, ghost }: { series: readonly ChartSeries[]; ghost: ChartSeries | undefined }) {
  return (
    <ul className="mt-3 flex min-h-5 flex-wrap gap-x-4 gap-y-1 text-xs text-ink-soft">
      {series.map(({ name, colour }) => (
        <li key={name} className="flex min-w-0 items-center gap-1.5">
          <span
            aria-hidden
            className="size-2.5 shrink-0 rounded-sm"
            style={{ background: `var(${colour})` }}
          />
          <span className="truncate">{name}</span>
        </li>
      ))}
      {ghost && (
        <li className="flex items-center gap-1.5">
          <span aria-hidden className="w-3.5 border-t-2 border-dashed border-ink-faint" />
          {ghost.name}
        </li>
      )}
    </ul>
  )
}

interface SeriesTableProps {
  label: string
  stepName: string
  steps: readonly string[]
  series: readonly ChartSeries[]
  totals?: readonly string[] | undefined
  linkCell: LinkCell
}

const plainCell: LinkCell = (_index, _series, text) => text

function SeriesTable({ label, stepName, steps, series, totals, linkCell }: SeriesTableProps) {
  const columns = [...(totals ? [{ name: 'Total', texts: totals }] : []), ...series]
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={label}
      className="max-h-96 overflow-auto rounded-lg border border-line"
    >
      <table className="w-full text-sm">
        <thead className="sticky top-0 bg-surface text-xs text-ink-faint">
          <tr>
            {[stepName, ...columns.map(({ name }) => name)].map((name, index) => (
              <th
                key={name}
                scope="col"
                className={`border-b border-line px-3 py-2 font-medium whitespace-nowrap ${index === 0 ? 'text-left' : 'text-right'}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps.map((step, index) => (
            <tr key={step} className="border-b border-line last:border-b-0">
              <th scope="row" className="px-3 py-1.5 text-left font-normal whitespace-nowrap">
                {linkCell(index, undefined, step)}
              </th>
              {columns.map(({ name, texts }) => (
                <td key={name} className="px-3 py-1.5 text-right whitespace-nowrap text-ink-soft">
                  {linkCell(index, name === 'Total' ? undefined : name, texts[index] ?? '')}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
