import { FlaskConical } from 'lucide-react'
import { toast } from 'sonner'
import type { CopyTrial, MigrationDetail } from '#sql/contract'
import { call } from '../../../api/client.ts'
import { useChange } from '../../../api/refresh-queries.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { FailureNotice, Notice } from '../../../ui/notice.tsx'
import { Card } from '../../../ui/page.tsx'
import { bytesText, counted, durationText, shortCount } from '../../../ui/quantity.ts'
import { lockWords } from '../approvals/evidence-card.tsx'
import { sqlKey } from '../sql-queries.ts'
import { CopySteps } from './copy-steps.tsx'

/** What each statement locks and rewrites, tried on a copy of the schema. */
export function CopyCard({ groupId, migration }: { groupId: string; migration: MigrationDetail }) {
  const { copy, is_complete, state } = migration
  const mayTry = is_complete && state !== 'applied' && state !== 'running' && state !== 'unknown'
  if (!copy && !mayTry) return null
  return (
    <Card
      title="On a copy"
      description="Statement by statement on a copy of the schema without rows, which is dropped afterwards. Nothing changes in the database."
      action={mayTry && <TryButton groupId={groupId} migration={migration} />}
    >
      {copy && <Trial copy={copy} />}
    </Card>
  )
}

function TryButton({ groupId, migration }: { groupId: string; migration: MigrationDetail }) {
  const { database, name, statements, checks, agent_id, copy } = migration
  const { mutate, isPending, error } = useChange(sqlKey(groupId), () =>
    call('POST', '/api/v1/sql/migrate', {
      body: {
        ...{ database, name, statements, checks, dry_run: true, trial: 'copy' },
        reason: 'Tried on a copy',
        ...(agent_id !== null && { agent_id }),
      },
    }),
  )
  const onSuccess = () => toast.success('Tried on a copy')
  return (
    <div className="space-y-2">
      <Button icon={FlaskConical} busy={isPending} onClick={() => mutate(undefined, { onSuccess })}>
        {copy ? 'Try again on a copy' : 'Try on a copy'}
      </Button>
      {error && <FailureNotice error={error} />}
    </div>
  )
}

function Trial({ copy }: { copy: CopyTrial }) {
  const { ok, statements, locked, left_out, objects, duration_ms, tried_at } = copy
  return (
    <div className="space-y-4 text-sm">
      <p className="flex flex-wrap items-center gap-2 text-ink-soft">
        <Badge tone={ok ? 'success' : 'danger'}>{ok ? 'Every statement ran' : 'A statement failed'}</Badge>
        <span>
          <MomentText time={tried_at} />, {counted(objects, 'object')} copied, in {durationText(duration_ms)}
        </span>
      </p>
      {locked.length > 0 && <Locked locked={locked} />}
      <CopySteps steps={statements} />
      {left_out.length > 0 && (
        <Notice tone="warning" title={`${counted(left_out.length, 'object')} could not be copied`}>
          <ul className="list-disc space-y-1 pl-4">
            {left_out.slice(0, 10).map(({ what, error }) => (
              <li key={what}>
                <span className="font-mono text-xs">{what}</span>: {error}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  )
}

/** From the size of the real table and the speed of Signalbox's own server: an estimate. */
function Locked({ locked }: { locked: CopyTrial['locked'] }) {
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Locked tables">
      <table className="w-full text-left">
        <caption className="pb-1 text-left text-xs text-ink-faint">
          How long each table would be locked: an estimate from its size and the speed of Signalbox’s own
          server
        </caption>
        <thead className="text-xs text-ink-faint">
          <tr>
            <th className="py-1 font-medium">Table</th>
            <th className="py-1 font-medium">Lock</th>
            <th className="py-1 pl-3 text-right font-medium whitespace-nowrap">Rows, about</th>
            <th className="py-1 pl-3 text-right font-medium whitespace-nowrap">Size</th>
            <th className="py-1 pl-3 text-right font-medium whitespace-nowrap">Locked, about</th>
          </tr>
        </thead>
        <tbody>
          {locked.map(({ relation, mode, estimate_ms, rows, bytes }) => (
            <tr key={`${relation} ${mode}`} className="border-t border-line">
              <td className="py-1.5 pr-3 font-mono text-xs">{relation}</td>
              <td className="py-1.5">
                <Badge tone={mode === 'AccessExclusive' ? 'danger' : 'neutral'}>
                  {lockWords[mode] ?? mode}
                </Badge>
              </td>
              <td className="py-1.5 pl-3 text-right whitespace-nowrap tabular-nums">{shortCount(rows)}</td>
              <td className="py-1.5 pl-3 text-right whitespace-nowrap tabular-nums">{bytesText(bytes)}</td>
              <td className="py-1.5 pl-3 text-right whitespace-nowrap tabular-nums">
                {estimate_ms === null ? 'depends on rows' : durationText(estimate_ms)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
