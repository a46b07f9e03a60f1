import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Waypoints } from 'lucide-react'
import type { ThingRef } from '#links/contract'
import { useCurrentGroup, type CurrentGroup } from '../../api/session.ts'
import { NoGroup } from '../../shell/no-group.tsx'
import { RecordFailure } from '../../shell/record-failure.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { MomentText } from '../../ui/moment-text.tsx'
import { Page } from '../../ui/page.tsx'
import { PageSkeleton } from '../../ui/skeleton.tsx'
import { CostLayers } from './cost-layers.tsx'
import { LinkedCard } from './linked-card.tsx'
import { whyQuery } from './link-queries.ts'
import { typeNames } from './link-words.ts'
import { WhyCard } from './why-card.tsx'

const route = getRouteApi('/shell/why')

/** Everything that is known of a thing that has no page of its own, such as a change of a database. */
export function WhyPage() {
  const group = useCurrentGroup()
  const { type, id } = route.useSearch()
  if (group === null) return <NoGroup />
  if (!isType(type) || id === undefined)
    return (
      <Page title="Why?" description="What led to a change, and what the change caused.">
        <EmptyState icon={Waypoints} title="Nothing selected" action={<WhereToBegin />}>
          Open a deployment, an incident or a migration. Its page shows the commits, tickets and decisions
          behind it.
        </EmptyState>
      </Page>
    )
  return <About key={`${group.id} ${type} ${id}`} group={group} thing={{ type, id }} />
}

function WhereToBegin() {
  return (
    <>
      <Link to="/deployments" className={buttonClass('primary')}>
        Open deployments
      </Link>
      <Link to="/incidents" className={buttonClass()}>
        Open incidents
      </Link>
      <Link to="/sql/migrations" className={buttonClass()}>
        Open migrations
      </Link>
    </>
  )
}

const isType = (word: string | undefined): word is ThingRef['type'] =>
  word !== undefined && Object.hasOwn(typeNames, word)

function About({ group, thing }: { group: CurrentGroup; thing: ThingRef }) {
  const { data, error, refetch } = useQuery(whyQuery(group.id, thing, 'up'))
  const noun = typeNames[thing.type].toLowerCase()
  if (error && !data) return <RecordFailure error={error} noun={noun} to="/" onRetry={refetch} />
  const first = data?.[0]?.thing
  if (!first) return <PageSkeleton />
  return (
    <Page
      title={first.title}
      description={
        <>
          {typeNames[thing.type]}
          {first.at !== null && (
            <>
              , <MomentText time={first.at} />
            </>
          )}
        </>
      }
    >
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="min-w-0">
          <WhyCard groupId={group.id} thing={thing} />
        </div>
        <div className="min-w-0 space-y-5">
          <LinkedCard group={group} thing={thing} />
          {thing.type === 'pull_request' && (
            <CostLayers groupId={group.id} type="pull_request" id={thing.id} />
          )}
        </div>
      </div>
    </Page>
  )
}
