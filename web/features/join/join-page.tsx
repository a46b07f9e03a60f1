import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { InvitationInfo } from '#access/contract'
import { ApiError, call } from '../../api/client.ts'
import { EntryFrame } from '../../shell/entry-frame.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { FailureNotice, Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { JoinForm } from './join-form.tsx'

const route = getRouteApi('/join')

export function JoinPage() {
  const { token = '' } = route.useSearch()
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => call<InvitationInfo>('GET', `/api/auth/invitation?token=${encodeURIComponent(token)}`),
    enabled: token !== '',
    staleTime: Infinity,
  })
  const refused =
    invitation.error instanceof ApiError && [400, 404, 409, 410].includes(invitation.error.status)
  if (token === '' || refused) return <BadLink />
  if (invitation.error)
    return (
      <EntryFrame title="Your invitation" lead="It could not be looked up.">
        <FailureNotice error={invitation.error} onRetry={() => invitation.refetch()} />
      </EntryFrame>
    )
  if (!invitation.data)
    return (
      <EntryFrame title="Your invitation" lead="One moment.">
        <div className="space-y-4" role="status" aria-label="Loading">
          <Skeleton className="h-9 w-full" />
          <Skeleton className="h-9 w-full" />
        </div>
      </EntryFrame>
    )
  const { group, role, email } = invitation.data
  return (
    <EntryFrame
      title={`Join ${group}`}
      lead={
        <>
          You are invited as <strong className="font-medium text-ink">{role}</strong>. Say who you are and
          choose a password.
        </>
      }
    >
      <JoinForm token={token} email={email} />
    </EntryFrame>
  )
}

function BadLink() {
  return (
    <EntryFrame
      title="This link does not open"
      lead="It was used already, has expired, was withdrawn, or is incomplete."
    >
      <Notice tone="info" title="What to do">
        Check that the whole link was copied. Otherwise ask an owner of the group for a new one; if you have
        joined already, sign in.
      </Notice>
      <Link to="/sign-in" className={`${buttonClass()} mt-5 self-start`}>
        Sign in
      </Link>
    </EntryFrame>
  )
}
