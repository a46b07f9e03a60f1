import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { UsageLog, UsageLogDetail } from '#usage/contract'
import type { CurrentGroup } from '../../api/session.ts'
import { buttonClass } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { modelName } from '../../ui/model-name.ts'
import { wholeTime } from '../../ui/moment.ts'
import { StatusDot } from '../../ui/status-dot.tsx'
import { FailureNotice, Notice } from '../../ui/notice.tsx'
import { PanelSteps } from '../../ui/panel-steps.tsx'
import { SidePanel } from '../../ui/side-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { logQuery } from './log-queries.ts'
import { isOverLimit, statusDotOf, statusName } from './log-words.ts'
import { AttemptsSection } from './attempts-section.tsx'
import { CostSection } from './cost-section.tsx'
import { Facts } from './facts.tsx'
import { Part } from './part.tsx'
import { factsOf, tokenFactsOf } from './record-facts.tsx'

interface LogPanelProps {
  group: CurrentGroup
  requestId: string
  rows: readonly UsageLog[]
  onOpen: (requestId: string | undefined) => void
  onClose: () => void
}

/** The full record of one request, beside the list. */
export function LogPanel({ group, requestId, rows, onOpen, onClose }: LogPanelProps) {
  const { data, error, refetch } = useQuery(logQuery(group.id, requestId))
  const ids = rows.map((row) => row.request_id)
  const known = data ?? rows[ids.indexOf(requestId)]
  return (
    <SidePanel open onClose={onClose} title={`Request ${requestId}`}>
      <header className="border-b border-line px-5 pt-4 pb-3.5">
        <div className="flex items-start gap-2">
          <h2 className="min-w-0 flex-1 pt-1 text-lg font-semibold tracking-tight [overflow-wrap:anywhere]">
            {known ? modelName(known.model) : 'Request'}
          </h2>
          <PanelSteps noun="request" ids={ids} id={requestId} onOpen={onOpen} onClose={onClose} />
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-soft">
          {known && (
            <>
              <StatusDot status={statusDotOf(known.status_code)}>
                {known.status_code} {statusName(known.status_code)}
              </StatusDot>
              <time dateTime={known.started_at} title={`${known.started_at} (UTC)`}>
                {wholeTime(known.started_at)}
              </time>
            </>
          )}
        </div>
        <p className="mt-1 flex min-w-0 items-center gap-1 text-xs text-ink-faint">
          <code className="truncate font-mono">{requestId}</code>
          <CopyButton text={requestId} what="request ID" className="size-6" />
        </p>
      </header>
      <div className="min-h-0 flex-1 space-y-6 overflow-y-auto px-5 py-5" tabIndex={0}>
        {error && <FailureNotice error={error} onRetry={() => refetch()} />}
        {!data && !error && <DetailSkeleton />}
        {data && <LogDetail log={data} group={group} />}
      </div>
    </SidePanel>
  )
}

function DetailSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="space-y-4">
      <Skeleton className="h-40" />
      <Skeleton className="h-64" />
    </div>
  )
}

function LogDetail({ log, group }: { log: UsageLogDetail; group: CurrentGroup }) {
  const metadata = log.metadata !== null && Object.keys(log.metadata).length > 0 ? log.metadata : undefined
  return (
    <>
      {log.error_message !== null && (
        <Notice
          tone={log.status_code === 499 ? 'warning' : 'danger'}
          title={log.status_code === 499 ? 'Client disconnected' : 'Request failed'}
        >
          {log.error_message}
          {isOverLimit(log) && (
            <Link to="/limits" className={`${buttonClass('plain', 'small')} mt-2.5 mb-0.5 w-fit`}>
              Open limits
            </Link>
          )}
        </Notice>
      )}
      <AttemptsSection log={log} />
      <CostSection log={log} group={group} />
      <Part title="Tokens">
        <Facts facts={tokenFactsOf(log)} />
      </Part>
      <Part title="Request">
        <Facts facts={factsOf(log)} />
      </Part>
      {metadata && (
        <Part title="Metadata">
          <CodeBlock language="json" what="Request metadata" source={JSON.stringify(metadata, null, 2)} />
        </Part>
      )}
      <CopyButton labelled text={JSON.stringify(log, null, 2)} what="as JSON" />
    </>
  )
}
