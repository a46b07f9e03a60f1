import { useState } from 'react'
import { Pencil, ShieldCheck } from 'lucide-react'
import { toast } from 'sonner'
import type { Incident, Service } from '#records/contract'
import { mayWrite, type CurrentGroup } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Field } from '../../../ui/field.tsx'
import { Textarea } from '../../../ui/input.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { spanText } from '../duration.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { RecordList } from '../record-list.tsx'
import { listQuery, useRecordChange } from '../record-queries.ts'

export function IncidentList({ group, service }: { group: CurrentGroup; service: Service }) {
  const [noted, setNoted] = useState<Incident | undefined>()
  return (
    <>
      <RecordList
        query={listQuery<Incident>(group.id, '/api/incidents', { service: service.name })}
        every={15_000}
        empty={
          <EmptyState icon={ShieldCheck} title="No incidents">
            {service.failures_to_open} failed checks in a row, or an alert from a webhook, open an incident.
          </EmptyState>
        }
      >
        {(incidents) => (
          <ul
            aria-label="Incidents"
            className="divide-y divide-line rounded-xl border border-line bg-surface"
          >
            {incidents.map((incident) => (
              <li key={incident.id} className="flex items-start gap-3 px-4 py-3">
                <div className="min-w-0 flex-1 text-sm">
                  <p className="flex flex-wrap items-center gap-x-3">
                    <StatusDot status={incident.closed_at === null ? 'error' : 'off'}>
                      <span className="font-medium">{incident.closed_at === null ? 'Open' : 'Closed'}</span>
                    </StatusDot>
                    <span className="text-ink-soft">
                      <MomentText time={incident.opened_at} />,{' '}
                      {spanText(incident.opened_at, incident.closed_at)}
                    </span>
                  </p>
                  <p className="mt-1 [overflow-wrap:anywhere]">{incident.cause}</p>
                  {incident.note !== '' && (
                    <p className="mt-1 whitespace-pre-wrap text-ink-soft">{incident.note}</p>
                  )}
                </div>
                {mayWrite(group) && (
                  <Button look="quiet" size="small" icon={Pencil} onClick={() => setNoted(incident)}>
                    {incident.note === '' ? 'Add note' : 'Edit note'}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </RecordList>
      {noted && <NoteDialog group={group} incident={noted} onClose={() => setNoted(undefined)} />}
    </>
  )
}

interface NoteDialogProps {
  group: CurrentGroup
  incident: Incident
  onClose: () => void
}

function NoteDialog({ group, incident, onClose }: NoteDialogProps) {
  const [note, setNote] = useState(incident.note)
  const save = useRecordChange(group.id)
  const onSuccess = () => {
    toast.success('Note saved')
    onClose()
  }
  return (
    <FormDialog
      title="Note on the incident"
      description={incident.cause}
      action="Save note"
      busy={save.isPending}
      error={save.error}
      onSubmit={() =>
        save.mutate({ method: 'PATCH', path: `/api/incidents/${incident.id}`, body: { note } }, { onSuccess })
      }
      onClose={onClose}
    >
      <Field label="Note" hint="What happened and what was done. Not shown on the status page.">
        {(ids) => (
          <Textarea
            {...ids}
            autoFocus
            maxLength={10_000}
            className="min-h-28"
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}
