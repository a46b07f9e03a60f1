import { useQuery } from '@tanstack/react-query'
import type { SpendRow, UsageFilter } from '#usage/contract'
import { useMe } from '../../api/session.ts'
import { Change } from '../../ui/change.tsx'
import { Dollars } from '../../ui/dollars.tsx'
import { shortDollars } from '../../ui/money.ts'
import { FailureNotice } from '../../ui/notice.tsx'
import { countText, shortCount } from '../../ui/quantity.ts'
import { Segmented } from '../../ui/segmented.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { inSpan, type Period } from './period.ts'
import { SplitLink } from './split-link.tsx'
import { groupSpendQuery, spendQuery } from './spend-queries.ts'
import { ignoresFilters, splitName, splitNames, type Split } from './spend-words.ts'
import { splits } from './usage-address.ts'
import { WaterfallCard } from './waterfall-card.tsx'

interface SpendSectionProps {
  groupId: string
  filter: UsageFilter
  period: Period
  by: string | undefined
  onBy: (by: Split) => void
}

const shown = 20

/** Who caused the spend, each compared with the period before, and what explains the difference. */
export function SpendSection({ groupId, filter, period, by: given, onBy }: SpendSectionProps) {
  const owned = useMe().groups.filter(({ role }) => role === 'owner').length
  const choices = splits.filter((split) => split !== 'group' || owned > 1)
  const by = choices.find((split) => split === given) ?? 'api_key'
  const here = inSpan(ignoresFilters(by) ? {} : filter, period)
  return (
    <section aria-labelledby="spend-by" className="space-y-3">
      <div className="flex flex-wrap items-center justify-between gap-3 pt-2">
        <h2 id="spend-by" className="text-base font-semibold">
          Spend by
        </h2>
        <Segmented<Split>
          label="Spend by"
          value={by}
          onChange={onBy}
          choices={choices.map((id) => ({ id, label: splitNames[id] }))}
        />
      </div>
      {ignoresFilters(by) && Object.keys(filter).length > 0 && (
        <p className="text-xs text-ink-faint">
          All requests of the period: this view does not use the filters.
        </p>
      )}
      {by === 'group' ? (
        <Groups groupId={groupId} period={period} />
      ) : (
        <Rows groupId={groupId} filter={here} by={by} />
      )}
      {by !== 'group' && by !== 'tag' && <WaterfallCard groupId={groupId} filter={here} by={by} />}
    </section>
  )
}

function Rows({
  groupId,
  filter,
  by,
}: {
  groupId: string
  filter: UsageFilter
  by: Exclude<Split, 'group'>
}) {
  const { data, error, refetch } = useQuery(spendQuery(groupId, { ...filter, by, limit: shown }))
  if (error) return <FailureNotice error={error} onRetry={() => refetch()} />
  if (!data) return <Skeleton className="h-48" />
  const { others } = data
  return (
    <>
      <SpendTable by={by} rows={data.data} />
      <p className="text-xs text-ink-faint">
        {others &&
          `And ${countText(others.count)} more, together ${shortDollars(others.total_cost ?? '0')}. `}
        {by === 'tag' && 'A request with several tags counts for each of them. '}
        {!data.is_complete && 'Older days are still being counted after an upgrade.'}
      </p>
    </>
  )
}

function Groups({ groupId, period }: { groupId: string; period: Period }) {
  const { start_date, end_date } = period
  const { data, error, refetch } = useQuery(groupSpendQuery(groupId, { start_date, end_date }))
  if (error) return <FailureNotice error={error} onRetry={() => refetch()} />
  return data ? <SpendTable by="group" rows={data.data} /> : <Skeleton className="h-48" />
}

function SpendTable({ by, rows }: { by: Split; rows: readonly SpendRow[] }) {
  const cost = ({ total_cost }: SpendRow) => Number(total_cost ?? 0)
  const before = (row: SpendRow) => Number(row.before.total_cost ?? 0)
  const columns: readonly Column<SpendRow>[] = [
    {
      name: splitNames[by],
      value: (row) => splitName(by, row),
      cell: (row) => (
        <SplitLink by={by} row={row} className={row.id === null ? 'text-ink-soft' : 'font-medium'} />
      ),
    },
    {
      name: 'Spend',
      value: cost,
      cell: ({ total_cost }) =>
        total_cost === null ? <span className="text-ink-faint">–</span> : <Dollars amount={total_cost} />,
    },
    {
      name: 'Before',
      value: before,
      cell: (row) =>
        row.before.total_cost === null ? (
          <span className="text-ink-faint">–</span>
        ) : (
          <Dollars amount={row.before.total_cost} />
        ),
    },
    {
      name: 'Change',
      value: ({ change }) => Number(change),
      cell: (row) => (
        <span className="inline-flex flex-wrap items-baseline gap-x-2">
          <Dollars amount={row.change} />
          <span className="text-xs text-ink-faint">
            <Change now={cost(row)} before={before(row)} upIsBad={false} />
          </span>
        </span>
      ),
    },
    { name: 'Requests', value: ({ requests }) => requests, cell: ({ requests }) => countText(requests) },
    {
      name: 'Tokens',
      value: ({ total_tokens }) => total_tokens,
      cell: ({ total_tokens }) => shortCount(total_tokens),
    },
  ]
  return (
    <Table label={`Spend by ${splitNames[by]}`} columns={columns} rows={rows} rowKey={({ id }) => id ?? ''} />
  )
}
