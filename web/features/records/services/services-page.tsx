import { useState } from 'react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Activity, Globe, Plus } from 'lucide-react'
import type { Service } from '#records/contract'
import { mayManage, type CurrentGroup } from '../../../api/session.ts'
import { inGroup } from '../../../shell/no-group.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { PagedList } from '../../../ui/paged-list.tsx'
import { listQuery } from '../record-queries.ts'
import { ServiceDialog } from './service-dialog.tsx'
import { ServiceTable } from './service-table.tsx'

const route = getRouteApi('/shell/services')

export const ServicesPage = inGroup(Services)

function Services({ group }: { group: CurrentGroup }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [edited, setEdited] = useState<Service | undefined>()
  const setAdding = (adding: boolean) => void navigate({ search: adding ? { new: true } : {}, replace: true })
  const isManager = mayManage(group.role)
  const add = isManager && (
    <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
      Add service
    </Button>
  )
  return (
    <Page
      title="Services"
      description="What the group runs, whether it is up, and how fast it responds."
      wide
      actions={
        <>
          <Link to="/status-page" className={buttonClass()}>
            <Globe aria-hidden className="size-4" /> Status page
          </Link>
          {add}
        </>
      }
    >
      <PagedList
        query={listQuery(group.id, '/api/services', { query: { state: search.state } })}
        every={15_000}
        empty={
          <EmptyState icon={Activity} title="No services yet" action={add || undefined}>
            {isManager
              ? 'Add the URL of a health check. Signalbox calls it every minute and shows uptime, latency and incidents here.'
              : 'An admin of the group adds services. Uptime, latency and incidents then appear here.'}
          </EmptyState>
        }
      >
        {(services) => <ServiceTable group={group} services={services} onEdit={setEdited} />}
      </PagedList>
      {search.new === true && <ServiceDialog groupId={group.id} onClose={() => setAdding(false)} />}
      {edited && <ServiceDialog groupId={group.id} service={edited} onClose={() => setEdited(undefined)} />}
    </Page>
  )
}
