import type { ReactNode } from 'react'
import type { UsageLog } from '#usage/contract'
import { providerName } from '../../ui/provider-name.ts'
import { countText, durationText } from '../../ui/quantity.ts'
import { StatusDot } from '../../ui/status-dot.tsx'
import { CostText } from './cost-text.tsx'
import { hasTokens, statusDotOf, statusName, tokensText } from './log-words.ts'
import { Faint, ModelText, OpenLink, Streamed } from './row-parts.tsx'

export interface Column {
  id: string
  title: string
  /** Its track in the grid of the table. */
  width: string
  isNumber?: boolean
  /** Shown until the reader chooses otherwise. */
  isUsual?: boolean
  show: (row: UsageLog, keyName: string) => ReactNode
}

const cut = (text: string | null): ReactNode =>
  text === null || text === '' ? (
    <Faint>–</Faint>
  ) : (
    <span className="block truncate" title={text}>
      {text}
    </span>
  )

/** The time opens the record, so it is always shown; the others are the reader's choice. */
const timeColumn: Column = {
  id: 'time',
  title: 'Time',
  width: '7.75rem',
  show: (row) => <OpenLink row={row} className="block font-mono text-xs whitespace-nowrap" withDay />,
}

export const columns: readonly Column[] = [
  {
    id: 'status',
    title: 'Status',
    width: 'minmax(4rem,8rem)',
    isUsual: true,
    show: ({ status_code: status }) => (
      <span className="flex min-w-0 items-center gap-1.5" title={statusName(status)}>
        <StatusDot status={statusDotOf(status)}>{status}</StatusDot>
        {status >= 400 && <span className="truncate text-xs text-ink-faint">{statusName(status)}</span>}
      </span>
    ),
  },
  {
    id: 'model',
    title: 'Model',
    width: 'minmax(0,2fr)',
    isUsual: true,
    show: (row) => <ModelText row={row} />,
  },
  {
    id: 'provider',
    title: 'Provider',
    width: 'minmax(0,0.9fr)',
    isUsual: true,
    show: ({ provider }) => cut(provider === null ? null : providerName(provider)),
  },
  { id: 'key', title: 'Key', width: 'minmax(0,1.7fr)', isUsual: true, show: (_, keyName) => cut(keyName) },
  { id: 'route', title: 'Route', width: 'minmax(0,1fr)', show: ({ route }) => cut(route) },
  { id: 'user', title: 'User', width: 'minmax(0,1fr)', show: ({ user_label }) => cut(user_label) },
  { id: 'endpoint', title: 'Endpoint', width: 'minmax(0,1.2fr)', show: ({ endpoint }) => cut(endpoint) },
  {
    id: 'tokens',
    title: 'Tokens in → out',
    width: '8.5rem',
    isNumber: true,
    isUsual: true,
    show: (row) =>
      hasTokens(row) ? <span className="whitespace-nowrap">{tokensText(row)}</span> : <Faint>–</Faint>,
  },
  {
    id: 'cached',
    title: 'Cached',
    width: '5rem',
    isNumber: true,
    show: ({ cached_tokens }) => (cached_tokens > 0 ? countText(cached_tokens) : <Faint>–</Faint>),
  },
  {
    id: 'cost',
    title: 'Cost',
    width: '6rem',
    isNumber: true,
    isUsual: true,
    show: (row) => <CostText row={row} />,
  },
  {
    id: 'duration',
    title: 'Duration',
    width: '5rem',
    isNumber: true,
    isUsual: true,
    show: ({ duration_ms }) => durationText(duration_ms),
  },
  {
    id: 'own',
    title: 'Own time',
    width: '5rem',
    isNumber: true,
    show: ({ own_ms }) => (own_ms === null ? <Faint>–</Faint> : durationText(own_ms)),
  },
  {
    id: 'ttft',
    title: 'First token',
    width: '5rem',
    isNumber: true,
    isUsual: true,
    show: ({ ttft_ms }) => (ttft_ms === null ? <Faint>–</Faint> : durationText(ttft_ms)),
  },
  {
    id: 'streaming',
    title: 'Streaming',
    width: '4.5rem',
    show: (row) => <Streamed row={row} />,
  },
  {
    id: 'error',
    title: 'Error',
    width: 'minmax(0,2fr)',
    show: ({ error_message }) => cut(error_message),
  },
  {
    id: 'request',
    title: 'Request ID',
    width: 'minmax(0,1.5fr)',
    show: ({ request_id }) => <span className="font-mono text-xs">{cut(request_id)}</span>,
  },
]

export const usualColumns: readonly string[] = columns.filter(({ isUsual }) => isUsual).map(({ id }) => id)

/** The columns in the order of the table. */
export const columnsOf = (chosen: readonly string[]): Column[] => [
  timeColumn,
  ...columns.filter(({ id }) => chosen.includes(id)),
]
