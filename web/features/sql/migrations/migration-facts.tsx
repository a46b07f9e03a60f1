import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { ShieldCheck } from 'lucide-react'
import type { MigrationDetail } from '#sql/contract'
import { AgentLink } from '../../../ui/agent-name.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { Card } from '../../../ui/page.tsx'
import { durationText } from '../../../ui/quantity.ts'
import { AskerText } from '../asker-text.tsx'
import { migrationNames, migrationTones } from './migration-words.ts'

const link = 'text-accent hover:underline'

/** Who, when and how long, with the way to the approval and the audit log. */
export function MigrationFacts({ migration }: { migration: MigrationDetail }) {
  const { state, database, asked_by, requested_by, agent_id, approval_id, audit_id } = migration
  const { decided_by, applied_at, duration_ms, rolled_back_at, rolled_back_by, sha256 } = migration
  const facts: [string, ReactNode][] = [
    ['Database', database],
    [
      migration.is_elsewhere ? 'Applied by' : 'Asked by',
      <AskerText key="asker" askedBy={asked_by} otherwise={requested_by} />,
    ],
    ['Asked', migration.is_elsewhere ? null : <MomentText key="asked" time={migration.asked_at} />],
    [state === 'rejected' ? 'Rejected by' : 'Approved by', decided_by],
    ['Applied', applied_at && <MomentText key="applied" time={applied_at} />],
    ['Took', duration_ms === null ? null : durationText(duration_ms)],
    ['Rolled back', rolled_back_at && <MomentText key="rolled" time={rolled_back_at} />],
    ['Rolled back by', rolled_back_by],
    ['Policy of', agent_id && <AgentLink key="agent" id={agent_id} className={link} />],
    [
      'Records',
      approval_id || audit_id ? (
        <span className="flex flex-wrap gap-x-3">
          {approval_id && (
            <Link className={link} to="/sql/approvals/$id" params={{ id: approval_id }}>
              Approval
            </Link>
          )}
          {audit_id && (
            <Link className={link} to="/sql/audit" search={{ open: audit_id, database }}>
              Audit log
            </Link>
          )}
        </span>
      ) : null,
    ],
    [
      'SHA-256',
      <code key="hash" className="font-mono text-xs [overflow-wrap:anywhere]">
        {sha256}
      </code>,
    ],
  ]
  return (
    <Card>
      <dl className="space-y-3 text-sm">
        <div>
          <Badge tone={migrationTones[state]}>{migrationNames[state]}</Badge>
        </div>
        {facts.map(([label, value]) =>
          value === null || value === '' ? null : (
            <div key={label}>
              <dt className="text-xs text-ink-faint">{label}</dt>
              <dd className="mt-0.5 [overflow-wrap:anywhere]">{value}</dd>
            </div>
          ),
        )}
      </dl>
      {(state === 'waiting' || state === 'approved') && approval_id && (
        <Link
          className={`${buttonClass('primary')} mt-4`}
          to="/sql/approvals/$id"
          params={{ id: approval_id }}
        >
          <ShieldCheck aria-hidden className="size-4" />
          {state === 'waiting' ? 'Decide' : 'Open the approval'}
        </Link>
      )}
    </Card>
  )
}
