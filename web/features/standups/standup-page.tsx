import { useEffect } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ArrowLeft, Trash2 } from 'lucide-react'
import type { Initiative } from '#initiatives/contract'
import type { Standup } from '#standups/contract'
import { mayManage, mayWrite, useCurrentGroup, useMe, type CurrentGroup } from '../../api/session.ts'
import { NoGroup } from '../../shell/no-group.tsx'
import { RecordFailure } from '../../shell/record-failure.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { preloadMarkdown } from '../../ui/markdown/markdown.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { PageSkeleton } from '../../ui/skeleton.tsx'
import { initiativeQuery } from '../initiatives/index.ts'
import { ReviewScreen } from './review/review-screen.tsx'
import { currentStandupQuery, sessionQuery } from './standup-queries.ts'
import { StartScreen } from './start-screen.tsx'
import { TalkScreen } from './talk/talk-screen.tsx'
import { useStandup } from './use-standup.ts'

const route = getRouteApi('/shell/initiatives/$id/standup')

export function StandupPage() {
  const group = useCurrentGroup()
  const { id } = route.useParams()
  useEffect(preloadMarkdown, [])
  return group === null ? <NoGroup /> : <Found key={`${group.id} ${id}`} group={group} id={id} />
}

function Found({ group, id }: { group: CurrentGroup; id: string }) {
  const { session } = route.useSearch()
  const { data: initiative, error, refetch } = useQuery(initiativeQuery(group.id, id))
  if (error && !initiative)
    return <RecordFailure error={error} noun="initiative" to="/initiatives" onRetry={refetch} />
  if (!initiative) return <PageSkeleton />
  return session === undefined ? (
    <Current group={group} initiative={initiative} />
  ) : (
    <Chosen key={session} group={group} initiative={initiative} sessionId={session} />
  )
}

interface StandupProps {
  group: CurrentGroup
  initiative: Initiative
}

/** The open stand-up, or the start of one. */
function Current({ group, initiative }: StandupProps) {
  const { data, error, refetch } = useQuery(currentStandupQuery(group.id, initiative.id))
  if (error) return <FailureNotice error={error} onRetry={() => refetch()} />
  if (!data) return <PageSkeleton />
  const { session } = data
  if (session?.status === 'open' || (session && session.drafts_waiting > 0))
    return <Following key={session.id} group={group} initiative={initiative} session={session} />
  return (
    <>
      <BackLink initiative={initiative} />
      <Page title={`Stand-up: ${initiative.title}`}>
        <StartScreen group={group} initiativeId={initiative.id} current={data} />
        {session && (
          <p className="mt-4 text-center text-sm">
            <Link
              to="/initiatives/$id/standup"
              params={{ id: initiative.slug }}
              search={{ session: session.id }}
              className="text-accent hover:underline"
            >
              Read the last stand-up
            </Link>
          </p>
        )}
      </Page>
    </>
  )
}

function Chosen({ group, initiative, sessionId }: StandupProps & { sessionId: string }) {
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery({
    ...sessionQuery(group.id, initiative.id, sessionId),
    // The one that has just ended on this page: its events say what has changed since.
    placeholderData: () => {
      const shown = queryClient.getQueryData(currentStandupQuery(group.id, initiative.id).queryKey)?.session
      return shown?.id === sessionId ? shown : undefined
    },
  })
  if (error) return <FailureNotice error={error} onRetry={() => refetch()} />
  if (!data) return <PageSkeleton />
  return <Following group={group} initiative={initiative} session={data} />
}

/** Everything that is said from here on appears automatically, here and in every other tab. */
function Following({ group, initiative, session }: StandupProps & { session: Standup }) {
  const { state, connection } = useStandup(group.id, session)
  const me = useMe()
  const isDeleted = state.ended?.reason === 'deleted'
  const isOver = session.status === 'ended' || state.ended !== undefined
  const navigate = route.useNavigate()
  const { session: chosen } = route.useSearch()
  useEffect(() => {
    // So that a reload shows the same, also when nothing waits for review any more.
    if (isOver && !isDeleted && chosen === undefined)
      void navigate({ search: { session: session.id }, replace: true })
  }, [isOver, isDeleted, chosen, navigate, session.id])
  if (isDeleted) return <Deleted initiative={initiative} />
  const speaks =
    session.started_by_id === null ||
    [session.started_by_id, ...state.invited.map(({ user_id }) => user_id)].includes(me.user?.id ?? '')
  const mayTalk = mayWrite(group) && (isOver || speaks)
  const mayEnd = mayTalk || mayManage(group.role)
  const shared = { group, initiative, session, state, connection, mayTalk, mayEnd }
  return (
    <>
      <BackLink initiative={initiative} />
      {isOver ? <ReviewScreen {...shared} /> : <TalkScreen {...shared} />}
    </>
  )
}

function Deleted({ initiative }: { initiative: Initiative }) {
  return (
    <Page title={`Stand-up: ${initiative.title}`}>
      <EmptyState
        icon={Trash2}
        title="This initiative was deleted"
        action={
          <Link to="/initiatives" className={buttonClass()}>
            Open initiatives
          </Link>
        }
      >
        The stand-up was deleted with it. What was said is not kept.
      </EmptyState>
    </Page>
  )
}

function BackLink({ initiative }: { initiative: Initiative }) {
  return (
    <Link
      to="/initiatives/$id"
      params={{ id: initiative.slug }}
      className="mb-3 inline-flex max-w-full items-center gap-1.5 text-sm text-ink-soft hover:text-ink"
    >
      <ArrowLeft aria-hidden className="size-4 shrink-0" />
      <span className="truncate">{initiative.title}</span>
    </Link>
  )
}
