import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { Link } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import { toast } from 'sonner'
import type { Incident } from '#records/contract'
import { mayWrite, type CurrentGroup } from '../../../api/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { spanText } from '../duration.ts'
import { useRecordChange, recordsKey } from '../record-queries.ts'
import { RowMenu } from '../row-menu.tsx'
import { IncidentDialog } from './incident-dialog.tsx'

interface IncidentRowsProps {
  group: CurrentGroup
  incidents: Incident[]
  /** Whether each says its service. */
  hasServices?: boolean
}

export function IncidentRows({ group, incidents, hasServices = false }: IncidentRowsProps) {
  const [edited, setEdited] = useState<Incident | undefined>()
  const [deleted, setDeleted] = useState<Incident | undefined>()
  return (
    <>
      <ul aria-label="Incidents" className="divide-y divide-line rounded-xl border border-line bg-surface">
        {incidents.map((incident) => (
          <li key={incident.id} className="flex items-start gap-3 px-4 py-3">
            <IncidentText incident={incident} hasService={hasServices} />
            {mayWrite(group) && (
              <div className="flex shrink-0 items-center gap-1">
                {incident.closed_at === null && incident.source !== 'health_check' && (
                  <CloseButton group={group} incident={incident} />
                )}
                <RowMenu
                  name={incident.cause}
                  noun="incident"
                  onEdit={() => setEdited(incident)}
                  {...(incident.source === 'manual' && { onDelete: () => setDeleted(incident) })}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
      {edited && <IncidentDialog groupId={group.id} incident={edited} onClose={() => setEdited(undefined)} />}
      {deleted && (
        <DeleteDialog
          queryKey={recordsKey(group.id)}
          remove={() => call('DELETE', '/api/incidents/{id}', { path: { id: deleted.id } })}
          noun="incident"
          name={deleted.cause}
          onClose={() => setDeleted(undefined)}
        >
          <p>Analytics and the status page no longer show it.</p>
        </DeleteDialog>
      )}
    </>
  )
}

const sourceNames: Record<string, string> = { health_check: 'health checks', manual: 'a person' }
export const sourceName = (source: string): string => sourceNames[source] ?? source

function IncidentText({ incident, hasService }: { incident: Incident; hasService: boolean }) {
  const { id, service, opened_at, closed_at, cause, note, source, deployment_id } = incident
  return (
    <div className="min-w-0 flex-1 text-sm">
      <p className="[overflow-wrap:anywhere]">
        <Link to="/incidents/$id" params={{ id }} className="text-base font-medium hover:underline">
          {cause}
        </Link>
      </p>
      <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
        <StatusDot status={closed_at === null ? 'error' : 'off'}>
          <span className="font-medium">{closed_at === null ? 'Open' : 'Closed'}</span>
        </StatusDot>
        {hasService && (
          <Link to="/services/$name" params={{ name: service }} className="font-medium hover:underline">
            {service}
          </Link>
        )}
        <span className="text-ink-soft">
          <MomentText time={opened_at} />, {spanText(opened_at, closed_at)}
        </span>
        {deployment_id !== null && <Badge tone="accent">after a deployment</Badge>}
      </p>
      {note !== '' && (
        <p className="mt-1 [overflow-wrap:anywhere] whitespace-pre-wrap text-ink-soft">{note}</p>
      )}
      <p className="mt-1 text-xs text-ink-faint">Reported by {sourceName(source)}</p>
    </div>
  )
}

interface CloseButtonProps {
  group: CurrentGroup
  incident: Incident
  /** Whether it is the first action of a page and not a part of a row. */
  isMain?: boolean
}

export function CloseButton({ group, incident, isMain = false }: CloseButtonProps) {
  const save = useRecordChange(group.id)
  const close = () =>
    save.mutate(
      () =>
        call('PATCH', '/api/incidents/{id}', {
          path: { id: incident.id },
          body: { closed_at: new Date().toISOString() },
        }),
      {
        onSuccess: () => toast.success('Incident closed'),
        onError: (error) => toast.error(error.message),
      },
    )
  return (
    <Button
      {...(isMain ? { look: 'primary' } : { look: 'quiet', size: 'small' })}
      icon={CircleCheck}
      busy={save.isPending}
      onClick={close}
    >
      {isMain ? 'Close incident' : 'Close'}
    </Button>
  )
}
