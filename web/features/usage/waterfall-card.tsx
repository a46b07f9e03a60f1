import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import type { SpendDimension, UsageFilter } from '#usage/contract'
import { exactDollars, shortDollars } from '../../ui/money.ts'
import { FailureNotice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { spendChangeQuery } from './spend-queries.ts'
import { splitNames } from './spend-words.ts'
import { placeOf, waterfallOf, type Step } from './waterfall.ts'

interface WaterfallCardProps {
  groupId: string
  filter: UsageFilter
  by: SpendDimension
}

const bars = 8

/** Which rows explain the difference between two periods. */
export function WaterfallCard({ groupId, filter, by }: WaterfallCardProps) {
  const { data, error, refetch } = useQuery(spendChangeQuery(groupId, { ...filter, by, limit: bars }))
  const steps = data ? waterfallOf(data) : []
  return (
    <Card
      title={titleOf(data?.total.change)}
      description={`From the period before to this one, by ${splitNames[by].toLowerCase().replace('api', 'API')}`}
    >
      {error && <FailureNotice error={error} onRetry={() => refetch()} />}
      {!data && !error && <Skeleton className="h-48" />}
      {data && (
        <ol aria-label="Changes of spend" className="space-y-1.5 text-sm">
          {steps.map((step, index) => (
            <li key={index}>
              <Bar step={step} steps={steps} />
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}

function titleOf(change: string | undefined): string {
  if (change === undefined || change === '0') return 'Why did it change?'
  return change.startsWith('-') ? 'Why did it fall?' : 'Why did it rise?'
}

const colours = { sum: 'bg-ink-faint', up: 'bg-primary', down: 'bg-success-strong' }

function Bar({ step, steps }: { step: Step; steps: readonly Step[] }) {
  const { left, width } = placeOf(step, steps)
  const isSum = step.kind === 'sum'
  const sign = step.kind === 'up' ? '+' : ''
  return (
    <span className="grid grid-cols-[minmax(0,8rem)_minmax(0,1fr)_5.5rem] items-center gap-3 sm:grid-cols-[minmax(0,12rem)_minmax(0,1fr)_6rem]">
      <span className={clsx('truncate', isSum ? 'font-semibold' : 'text-ink-soft')} title={step.name}>
        {step.name}
      </span>
      <span aria-hidden className="block h-5 rounded bg-hover/50">
        <span
          className={clsx('block h-full rounded', colours[step.kind])}
          style={{ marginLeft: `${left.toFixed(2)}%`, width: `${width.toFixed(2)}%` }}
        />
      </span>
      <span
        className={clsx('text-right whitespace-nowrap tabular-nums', isSum && 'font-semibold')}
        title={exactDollars(step.amount)}
      >
        {sign}
        {shortDollars(step.amount)}
      </span>
    </span>
  )
}
