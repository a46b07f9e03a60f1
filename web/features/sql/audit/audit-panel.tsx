import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Undo2, X } from 'lucide-react'
import { toast } from 'sonner'
import type { AuditRecord } from '#sql/contract'
import { call } from '../../../api/client.ts'
import { refreshQueries } from '../../../api/refresh-queries.ts'
import { AgentLink } from '../../../ui/agent-name.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { FailureNotice, Notice } from '../../../ui/notice.tsx'
import { SidePanel } from '../../../ui/side-panel.tsx'
import { AskerText } from '../asker-text.tsx'
import { sqlKey, undoQuery } from '../sql-queries.ts'
import { auditNames, auditTones } from '../sql-words.ts'
import { StatementText } from '../statement-text.tsx'
import { countText } from '../../../ui/quantity.ts'

interface AuditPanelProps {
  groupId: string
  record: AuditRecord
  onClose: () => void
}

/** One attempt with everything that is known about it. */
export function AuditPanel({ groupId, record, onClose }: AuditPanelProps) {
  const facts: [string, React.ReactNode][] = [
    ['Reason', record.reason],
    ['By', record.executor],
    ['Asked by', <AskerText key="asker" askedBy={record.asked_by} otherwise={record.executor} />],
    [
      'Policy of',
      record.agent_id === null ? (
        '–'
      ) : (
        <AgentLink key="agent" id={record.agent_id} className="text-accent hover:underline" />
      ),
    ],
    ['Rule', record.rule ?? '–'],
    ...(record.masked.length > 0 ? [['Masked', record.masked.join(', ')] satisfies [string, string]] : []),
    ...(record.grant_id === null ? [] : [['Grant', record.grant_id] satisfies [string, string]]),
    ['Operations', record.operations.join(', ') || '–'],
    ['Rows changed', record.rows_affected ?? '–'],
    ['Time', record.duration_ms === null ? '–' : `${record.duration_ms} ms`],
    ['When', <MomentText key="when" time={record.created_at} />],
    ['Place in the chain', record.seq],
    [
      'Hash',
      <code key="hash" className="font-mono text-xs">
        {record.hash}
      </code>,
    ],
  ]
  return (
    <SidePanel open onClose={onClose} title="Attempt">
      <header className="flex items-center justify-between border-b border-line px-5 py-3">
        <Badge tone={auditTones[record.status]}>{auditNames[record.status]}</Badge>
        <IconButton label="Close" icon={X} onClick={onClose} />
      </header>
      <div className="min-h-0 flex-1 space-y-5 overflow-y-auto p-5 text-sm">
        <StatementText sql={record.sql} />
        {record.truncated && <p className="text-xs text-ink-faint">Cut at 10 KB.</p>}
        {record.error !== null && (
          <Notice tone="danger" title="Error">
            {record.error}
          </Notice>
        )}
        <dl className="grid grid-cols-[8rem_1fr] gap-x-4 gap-y-2">
          {facts.map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="text-ink-faint">{label}</dt>
              <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
            </div>
          ))}
        </dl>
        {record.approval_id !== null && (
          <Link
            className="font-medium text-accent hover:underline"
            to="/sql/approvals/$id"
            params={{ id: record.approval_id }}
          >
            Open the approval
          </Link>
        )}
        {record.status === 'executed' && record.kind === 'execute' && record.operations.some(changesRows) && (
          <Undo groupId={groupId} auditId={record.id} />
        )}
      </div>
    </SidePanel>
  )
}

const changesRows = (operation: string): boolean => ['INSERT', 'UPDATE', 'DELETE'].includes(operation)

function Undo({ groupId, auditId }: { groupId: string; auditId: string }) {
  const queryClient = useQueryClient()
  const { data: offer } = useQuery(undoQuery(groupId, auditId))
  const undo = useMutation({
    mutationFn: () =>
      call('POST', '/api/v1/sql/logs/{id}/undo', {
        path: { id: auditId },
        body: { reason: 'Undone from the audit log' },
      }),
    onSuccess: (answer) =>
      answer.status === 'executed' ? toast.success('Undone') : toast.info('The undo waits for approval'),
    onSettled: () => refreshQueries(queryClient, { queryKey: sqlKey(groupId) }),
  })
  if (!offer) return null
  if (offer.reason !== null)
    return <p className="text-ink-soft">This change cannot be undone. {offer.reason}</p>
  const rows = `${countText(offer.row_count)} rows of ${offer.table}`
  return (
    <div className="rounded-xl border border-line p-4">
      {offer.undone_at === null ? (
        <>
          <p className="mb-3 text-ink-soft">
            {rows} can be undone until <MomentText time={offer.expires_at} />. Nothing is undone if one of
            them was changed since.
          </p>
          <Button icon={Undo2} busy={undo.isPending} onClick={() => undo.mutate()}>
            Undo
          </Button>
        </>
      ) : (
        <p className="text-ink-soft">
          {rows} were undone <MomentText time={offer.undone_at} />.
        </p>
      )}
      {undo.error && (
        <div className="mt-3">
          <FailureNotice error={undo.error} />
        </div>
      )}
    </div>
  )
}
