import { useState } from 'react'
import { Plus, ShieldCheck } from 'lucide-react'
import type { Service } from '#records/contract'
import { mayWrite, type CurrentGroup } from '../../../api/session.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { IncidentDialog } from '../incidents/incident-dialog.tsx'
import { IncidentRows } from '../incidents/incident-rows.tsx'
import { PagedList } from '../../../ui/paged-list.tsx'
import { listQuery } from '../record-queries.ts'

export function IncidentList({ group, service }: { group: CurrentGroup; service: Service }) {
  const [isAdding, setAdding] = useState(false)
  const add = mayWrite(group) && (
    <Button size="small" icon={Plus} onClick={() => setAdding(true)}>
      Report incident
    </Button>
  )
  return (
    <>
      <PagedList
        query={listQuery(group.id, '/api/incidents', { query: { service: service.name } })}
        every={15_000}
        empty={
          <EmptyState icon={ShieldCheck} title="No incidents" action={add || undefined}>
            {service.failures_to_open} failed checks in a row, or an alert from a webhook, open an incident.
          </EmptyState>
        }
      >
        {(incidents) => (
          <div className="space-y-3">
            {add && <div className="flex justify-end">{add}</div>}
            <IncidentRows group={group} incidents={incidents} />
          </div>
        )}
      </PagedList>
      {isAdding && (
        <IncidentDialog groupId={group.id} service={service.name} onClose={() => setAdding(false)} />
      )}
    </>
  )
}
