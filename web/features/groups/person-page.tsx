import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { UserRound } from 'lucide-react'
import type { ApiKey, Member } from '#access/contract'
import { keysQuery } from '../../api/keys.ts'
import { limitsQuery } from '../../api/limits.ts'
import { membersQuery } from '../../api/members.ts'
import { useMe, type CurrentGroup } from '../../api/session.ts'
import { inGroup } from '../../shell/no-group.tsx'
import { RecordMissing } from '../../shell/record-failure.tsx'
import { Badge } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { MomentText } from '../../ui/moment-text.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { PageSkeleton } from '../../ui/skeleton.tsx'
import { withEvents } from '../../ui/thing/moments.ts'
import { ThingPage } from '../../ui/thing/thing-page.tsx'
import { Timeline } from '../../ui/thing/timeline.tsx'
import { useEvents } from '../../ui/thing/use-events.ts'
import { RunsOfPerson } from '../agents/index.ts'
import { LimitBars, limitsFor } from '../limits/index.ts'
import { RecentRequests } from '../logs/index.ts'
import { SpendByModel, SpendOverTime } from '../usage/index.ts'
import { roleNames } from './roles.ts'

const route = getRouteApi('/shell/people/$id')

export const PersonPage = inGroup(Found)

function Found({ group }: { group: CurrentGroup }) {
  const { id } = route.useParams()
  const { data, error, refetch } = useQuery(membersQuery(group.id))
  if (error && !data) return <FailureNotice error={error} onRetry={() => refetch()} />
  if (!data) return <PageSkeleton />
  const member = data.find(({ user_id }) => user_id === id)
  return member ? (
    <Detail key={id} group={group} member={member} />
  ) : (
    <RecordMissing noun="member" to="/groups" />
  )
}

/** What a member of the group spent, asked for and changed. */
function Detail({ group, member }: { group: CurrentGroup; member: Member }) {
  const { user_id: id, name, joined_at } = member
  const filter = { api_key_id: `person:${id}` }
  const keys = useQuery(keysQuery(group.id)).data?.filter(({ created_by }) => created_by === id) ?? []
  const limits = limitsFor(useQuery(limitsQuery(group.id)).data ?? [], 'user', id)
  // Whom they did something to, and what they did themselves.
  const changed = useEvents(group.id, { type: 'config', metadata: { memberId: id } })
  const acts = useEvents(group.id, { metadata: { by: id } })
  return (
    <ThingPage
      back={{ to: '/groups', children: 'Members' }}
      title={name}
      description={`Member of ${group.name}`}
      facts={factsOf(member, useMe().user?.id === id)}
      aside={
        <>
          {keys.length > 0 && <Keys keys={keys} />}
          {limits.length > 0 && (
            <Card title="Limits">
              <LimitBars limits={limits} of={name} />
            </Card>
          )}
        </>
      }
      empty={
        <EmptyState icon={UserRound} title="No requests yet">
          {`What ${name} asks models and agents for appears here, after the first request with a key of theirs or the first run.`}
        </EmptyState>
      }
      timeline={
        <Timeline
          moments={withEvents([{ at: joined_at, title: 'Joined the group' }], [...changed, ...acts])}
        />
      }
    >
      <SpendOverTime groupId={group.id} name={name} filter={filter} />
      <SpendByModel groupId={group.id} filter={filter} />
      <RunsOfPerson groupId={group.id} id={id} />
      <RecentRequests groupId={group.id} filter={filter} search={filter} />
    </ThingPage>
  )
}

function Keys({ keys }: { keys: readonly ApiKey[] }) {
  return (
    <Card title="Keys">
      <ul className="space-y-1.5 text-sm">
        {keys.map(({ id, name, revoked_at }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-2 [overflow-wrap:anywhere]">
            <Link to="/keys/$id" params={{ id }} className="font-medium hover:underline">
              {name}
            </Link>
            {revoked_at !== null && <span className="text-xs text-ink-faint">revoked</span>}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function factsOf({ role, email, joined_at }: Member, isReader: boolean) {
  return [
    {
      name: 'Role',
      value: (
        <span className="flex gap-2">
          {roleNames[role]} {isReader && <Badge>you</Badge>}
        </span>
      ),
    },
    { name: 'Email', value: email },
    { name: 'Joined', value: <MomentText time={joined_at} /> },
  ]
}
