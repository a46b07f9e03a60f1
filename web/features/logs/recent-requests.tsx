import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { LogFilter } from '#usage/contract'
import { keysQuery } from '../../api/keys.ts'
import { buttonClass } from '../../ui/button.tsx'
import { modelName } from '../../ui/model-name.ts'
import { MomentText } from '../../ui/moment-text.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { durationText } from '../../ui/quantity.ts'
import { StatusDot } from '../../ui/status-dot.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { keyName } from '../../ui/usage-filter-selects.tsx'
import { RecentSessions } from '../transcripts/index.ts'
import { CostText } from './cost-text.tsx'
import { recentLogsQuery, type ListedLog } from './log-queries.ts'
import { statusDotOf, statusName } from './log-words.ts'

const shownRequests = 10

interface RecentRequestsProps {
  groupId: string
  filter: LogFilter
  /** The same as parameters of the page of the log. */
  search: Record<string, unknown>
  /** What the section shows, where it is not all that the filter finds. */
  description?: string
  /** Chooses among the newest requests of the filter. */
  isShown?: (row: ListedLog) => boolean
}

/** The newest requests of a filter and the sessions that they belong to; nothing where there are none. */
export function RecentRequests({ groupId, filter, search, description, isShown }: RecentRequestsProps) {
  const { data: found = [], error, refetch } = useQuery(recentLogsQuery(groupId, filter))
  if (error) return <FailureNotice error={error} onRetry={() => refetch()} />
  const data = isShown ? found.filter(isShown) : found
  if (data.length === 0) return null
  return (
    <>
      <section aria-label="Recent requests" className="space-y-3">
        <div className="flex items-center justify-between gap-3">
          <div className="min-w-0">
            <h2 className="text-base font-semibold">Recent requests</h2>
            {description !== undefined && <p className="mt-0.5 text-sm text-ink-soft">{description}</p>}
          </div>
          <Link to="/logs" search={search} className={buttonClass('plain', 'small')}>
            Show in logs
          </Link>
        </div>
        <RequestTable groupId={groupId} rows={data.slice(0, shownRequests)} filter={filter} search={search} />
      </section>
      <RecentSessions groupId={groupId} keys={data.flatMap(({ session_key: key }) => key ?? [])} />
    </>
  )
}

interface RequestTableProps extends Pick<RecentRequestsProps, 'groupId' | 'filter' | 'search'> {
  rows: readonly ListedLog[]
}

/** Without the columns that are the same in all rows. */
function RequestTable({ groupId, rows, filter, search }: RequestTableProps) {
  const { data: keys = [] } = useQuery(keysQuery(groupId))
  const isOfKey = typeof filter.api_key_id === 'string' && !filter.api_key_id.includes(':')
  const columns = columnsOf(search, new Set(keys.map(({ id }) => id))).filter(
    ({ name }) => (name !== 'Model' || filter.model === undefined) && (name !== 'Key' || !isOfKey),
  )
  return <Table label="Recent requests" rows={rows} rowKey={({ id }) => id} columns={columns} />
}

/** `linked`: the keys that have a page. Those of agents and of Signalbox itself have a name only. */
const columnsOf = (search: Record<string, unknown>, linked: ReadonlySet<string>): Column<ListedLog>[] => [
  {
    name: 'Time',
    value: ({ started_at }) => Date.parse(started_at),
    cell: (row) => (
      <Link
        to="/logs"
        search={{ ...search, request: row.request_id }}
        className="text-sm font-medium hover:underline"
      >
        <MomentText time={row.started_at} />
      </Link>
    ),
  },
  {
    name: 'Status',
    value: ({ status_code }) => status_code,
    cell: ({ status_code: status }) => (
      <StatusDot status={statusDotOf(status)}>
        {status === 200 ? 'OK' : `${status} ${statusName(status)}`}
      </StatusDot>
    ),
    className: 'text-sm',
  },
  {
    name: 'Model',
    value: ({ model }) => modelName(model),
    cell: ({ model }) =>
      model ? (
        <Link to="/models/$" params={{ _splat: model }} className="hover:underline">
          {model}
        </Link>
      ) : (
        modelName(model)
      ),
    className: 'text-sm [overflow-wrap:anywhere]',
  },
  {
    name: 'Key',
    value: keyName,
    cell: ({ api_key_id: id, ...row }) =>
      id !== null && linked.has(id) ? (
        <Link to="/keys/$id" params={{ id }} className="hover:underline">
          {row.api_key_name}
        </Link>
      ) : (
        keyName({ api_key_id: id, ...row })
      ),
    className: 'text-sm [overflow-wrap:anywhere] text-ink-soft',
  },
  {
    name: 'Cost',
    value: ({ total_cost }) => (total_cost === null ? null : Number(total_cost)),
    cell: (row) => <CostText row={row} />,
    className: 'text-sm',
  },
  {
    name: 'Duration',
    value: ({ duration_ms }) => duration_ms,
    cell: ({ duration_ms }) => durationText(duration_ms),
    className: 'text-sm whitespace-nowrap text-ink-soft',
  },
]
