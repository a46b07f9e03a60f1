import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Pencil, Route as Signpost, Split, Trash2 } from 'lucide-react'
import type { NamedRoute } from '#gateway/contract'
import { mayManage, type CurrentGroup } from '../../api/session.ts'
import { inGroup } from '../../shell/no-group.tsx'
import { RecordMissing } from '../../shell/record-failure.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { daysAfter, today } from '../../ui/days.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { MomentText } from '../../ui/moment-text.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { PageSkeleton } from '../../ui/skeleton.tsx'
import { withEvents } from '../../ui/thing/moments.ts'
import { ThingPage } from '../../ui/thing/thing-page.tsx'
import { Timeline } from '../../ui/thing/timeline.tsx'
import { useEvents } from '../../ui/thing/use-events.ts'
import { RecentRequests } from '../logs/index.ts'
import { PartSpend } from '../usage/index.ts'
import { RouteDialogs, type RouteAct } from './route-dialogs.tsx'
import { routesQuery } from './route-queries.ts'
import { strategyWords } from './route-words.ts'
import { TargetRows } from './target-rows.tsx'

const here = getRouteApi('/shell/routes/$name')

export const RoutePage = inGroup(Found)

function Found({ group }: { group: CurrentGroup }) {
  const { name } = here.useParams()
  const { data, error, refetch } = useQuery(routesQuery(group.id))
  if (error && !data) return <FailureNotice error={error} onRetry={() => refetch()} />
  if (!data) return <PageSkeleton />
  const route = data.find((each) => each.name === name)
  return route ? (
    <Detail key={name} group={group} route={route} />
  ) : (
    <RecordMissing noun="route" to="/routes" />
  )
}

function Detail({ group, route }: { group: CurrentGroup; route: NamedRoute }) {
  const { name, description, created_at } = route
  const navigate = here.useNavigate()
  const [act, setAct] = useState<RouteAct | null>(null)
  const events = useEvents(group.id, { type: 'config', metadata: { event: 'route.changed', name } })
  return (
    <>
      <ThingPage
        back={{ to: '/routes', children: 'Routes' }}
        title={name}
        description={description || 'Route'}
        actions={
          <>
            <Button icon={Signpost} onClick={() => setAct('explain')}>
              Dry run
            </Button>
            {mayManage(group.role) && (
              <>
                <Button icon={Pencil} onClick={() => setAct('edit')}>
                  Edit route
                </Button>
                <Button look="quiet" icon={Trash2} onClick={() => setAct('delete')}>
                  Delete route
                </Button>
              </>
            )}
          </>
        }
        facts={factsOf(route)}
        empty={
          <EmptyState icon={Split} title="No requests to this route">
            {`Spend and requests appear here when an app asks for the model “${name}”.`}
          </EmptyState>
        }
        timeline={
          <div className="space-y-5">
            <section
              aria-label="Targets"
              className="overflow-hidden rounded-xl border border-line bg-surface shadow-low"
            >
              <h2 className="px-4 py-3 text-base font-semibold sm:px-5">Targets</h2>
              <TargetRows groupId={group.id} route={route} />
            </section>
            <Timeline moments={withEvents([{ at: created_at, title: 'Route created' }], events)} />
          </div>
        }
      >
        <PartSpend groupId={group.id} name={name} by="route" id={name} search={{ route: name }} />
        <RecentRequests
          groupId={group.id}
          filter={{ route: name, start_date: daysAfter(today(), -29) }}
          search={{ route: name }}
        />
      </ThingPage>
      <RouteDialogs
        groupId={group.id}
        open={act && { what: act, route }}
        onClose={() => setAct(null)}
        onDeleted={() => void navigate({ to: '/routes' })}
      />
    </>
  )
}

function factsOf({ name, strategy, attempts, timeout_ms, first_token_timeout_ms, updated_at }: NamedRoute) {
  return [
    {
      name: 'Name',
      value: (
        <span className="flex items-center gap-1">
          <code className="font-mono text-xs">{name}</code>
          <CopyButton text={name} what="name" className="size-6" />
        </span>
      ),
    },
    {
      name: 'Strategy',
      value: <span title={strategyWords[strategy].hint}>{strategyWords[strategy].label}</span>,
    },
    { name: 'Attempts', value: attempts },
    timeout_ms !== null && { name: 'Timeout', value: `${timeout_ms / 1000} s for a request` },
    first_token_timeout_ms !== null && {
      name: 'First token',
      value: `at most ${first_token_timeout_ms / 1000} s`,
    },
    { name: 'Changed', value: <MomentText time={updated_at} /> },
  ]
}
