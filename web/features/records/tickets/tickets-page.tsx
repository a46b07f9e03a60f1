import { getRouteApi } from '@tanstack/react-router'
import { CircleDot, Plus } from 'lucide-react'
import { mayWrite, type CurrentGroup } from '../../../api/session.ts'
import { inGroup } from '../../../shell/no-group.tsx'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { NoMatches } from '../no-matches.tsx'
import { PagedList } from '../../../ui/paged-list.tsx'
import { listQuery } from '../record-queries.ts'
import { TicketBoard } from './ticket-board.tsx'
import { TicketDialog } from './ticket-dialog.tsx'
import { TicketFilter } from './ticket-filter.tsx'
import { TicketTable } from './ticket-table.tsx'
import { readTicketsAddress, statusShown } from './tickets-address.ts'

const route = getRouteApi('/shell/tickets')

export const TicketsPage = inGroup(Tickets)

function Tickets({ group }: { group: CurrentGroup }) {
  const address = route.useSearch()
  const navigate = route.useNavigate()
  const { new: isAdding, view, ...given } = address
  const isFiltered = Object.keys(given).length > 0
  const { status: _asked, ...others } = given
  const status = statusShown(address)
  const filter = status === undefined ? others : { ...others, status }
  const show = (part: Record<string, unknown>) =>
    void navigate({ search: readTicketsAddress({ ...address, ...part }), replace: true })
  const add = mayWrite(group) && (
    <Button look="primary" icon={Plus} onClick={() => show({ new: true })}>
      Add ticket
    </Button>
  )
  const empty =
    isFiltered && Object.keys(filter).length > 0 ? (
      <NoMatches
        noun="ticket"
        plural="tickets"
        onClear={() => void navigate({ search: {}, replace: true })}
      />
    ) : (
      <EmptyState
        icon={CircleDot}
        title={isFiltered ? 'No tickets yet' : 'Nothing to do'}
        action={add || undefined}
      >
        Add one here, or connect GitHub or GitLab under Webhooks: their issues then appear automatically.
        {!isFiltered && ' Finished tickets are under All statuses.'}
      </EmptyState>
    )
  return (
    <Page
      title="Tickets"
      description="Work to do, in progress and done. A ticket without activity for 14 days is marked as stale."
      wide
      actions={add}
    >
      <div className="space-y-4">
        <TicketFilter address={address} onChange={show} />
        {view === 'board' ? (
          <TicketBoard group={group} filter={filter} />
        ) : (
          <PagedList
            query={listQuery(group.id, '/api/tickets', { query: filter })}
            every={15_000}
            empty={empty}
          >
            {(tickets) => <TicketTable group={group} tickets={tickets} />}
          </PagedList>
        )}
      </div>
      {isAdding === true && <TicketDialog groupId={group.id} onClose={() => show({ new: false })} />}
    </Page>
  )
}
