import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { CalendarClock, Plus, Trash2 } from 'lucide-react'
import type { MaintenanceWindow, Service } from '#records/contract'
import { mayManage, type CurrentGroup } from '../../../api/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { exactTime, timeZone } from '../../../ui/moment.ts'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { errorOf, FormDialog, useForm } from '../../../ui/form-dialog.tsx'
import { inputTime, isoTime } from '../../../ui/input-time.ts'
import { PagedList } from '../../../ui/paged-list.tsx'
import { listQuery, recordsKey } from '../record-queries.ts'
import { TextField } from '../../../ui/text-field.tsx'

interface MaintenanceProps {
  group: CurrentGroup
  service: Service
}

export function MaintenanceList({ group, service }: MaintenanceProps) {
  const [isAdding, setAdding] = useState(false)
  const [deleted, setDeleted] = useState<MaintenanceWindow | undefined>()
  const isManager = mayManage(group.role)
  const add = isManager && (
    <Button icon={Plus} onClick={() => setAdding(true)}>
      Add maintenance window
    </Button>
  )
  return (
    <div className="space-y-3">
      <PagedList
        query={listQuery(group.id, '/api/services/{id}/maintenance', { path: { id: service.id } })}
        empty={
          <EmptyState icon={CalendarClock} title="No maintenance windows" action={add || undefined}>
            In a window a failed check opens no incident and does not count against the uptime.
          </EmptyState>
        }
      >
        {(windows) => (
          <>
            <div className="flex justify-end">{add}</div>
            <ul
              aria-label="Maintenance windows"
              className="divide-y divide-line rounded-xl border border-line bg-surface"
            >
              {windows.map((window) => (
                <li key={window.id} className="flex items-center gap-3 px-4 py-3 text-sm">
                  <div className="min-w-0 flex-1">
                    <p className="flex flex-wrap items-center gap-2 font-medium">
                      {exactTime(window.starts_at)} – {exactTime(window.ends_at)} <Phase window={window} />
                    </p>
                    {window.note !== '' && <p className="text-ink-soft">{window.note}</p>}
                  </div>
                  {isManager && (
                    <IconButton
                      label="Delete maintenance window"
                      icon={Trash2}
                      onClick={() => setDeleted(window)}
                    />
                  )}
                </li>
              ))}
            </ul>
          </>
        )}
      </PagedList>
      {isAdding && <WindowDialog group={group} service={service} onClose={() => setAdding(false)} />}
      {deleted && (
        <DeleteDialog
          queryKey={recordsKey(group.id)}
          remove={() => call('DELETE', '/api/maintenance/{id}', { path: { id: deleted.id } })}
          noun="maintenance window"
          name={exactTime(deleted.starts_at)}
          onClose={() => setDeleted(undefined)}
        >
          <p>Checks count again from now on. Checks that ran during the window keep their mark.</p>
        </DeleteDialog>
      )}
    </div>
  )
}

function Phase({ window }: { window: MaintenanceWindow }) {
  const now = Date.now()
  if (Date.parse(window.ends_at) <= now) return <Badge>ended</Badge>
  return Date.parse(window.starts_at) <= now ? (
    <Badge tone="accent">running</Badge>
  ) : (
    <Badge tone="info">planned</Badge>
  )
}

function WindowDialog({ group, service, onClose }: MaintenanceProps & { onClose: () => void }) {
  const [start, setStart] = useState(inputTime(new Date().toISOString()))
  const [end, setEnd] = useState(inputTime(new Date(Date.now() + 3_600_000).toISOString()))
  const [note, setNote] = useState('')
  const form = useForm(recordsKey(group.id), 'Maintenance window added', onClose, () => {
    // The server says what is wrong with an empty time.
    const body = { starts_at: isoTime(start) ?? '', ends_at: isoTime(end) ?? '', note: note.trim() }
    return call('POST', '/api/services/{id}/maintenance', { path: { id: service.id }, body })
  })
  return (
    <FormDialog
      title="Add maintenance window"
      description={`Times are in ${timeZone()}. The note is public if the service is.`}
      action="Add maintenance window"
      {...form}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Starts" type="datetime-local" required value={start} onChange={setStart} />
        <TextField
          label="Ends"
          type="datetime-local"
          required
          error={errorOf(form.error, 'ends_at')}
          value={end}
          onChange={setEnd}
        />
      </div>
      <TextField
        label="Note"
        maxLength={2_000}
        placeholder="Database upgrade"
        value={note}
        onChange={setNote}
      />
    </FormDialog>
  )
}
