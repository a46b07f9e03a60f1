import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { ApiError, call } from '../../api/client.ts'
import { AuthFrame } from '../../shell/auth-frame.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { FailureNotice, Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { JoinForm } from './join-form.tsx'

const route = getRouteApi('/join')

export function JoinPage() {
  const { token = '' } = route.useSearch()
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => call('GET', '/api/auth/invitation', { query: { token } }),
    enabled: token !== '',
    staleTime: Infinity,
  })
  const refused =
    invitation.error instanceof ApiError && [400, 404, 409, 410].includes(invitation.error.status)
  if (token === '' || refused) return <BadLink />
  if (invitation.error)
    return (
      <AuthFrame title="Your invitation" lead="It can’t be loaded.">
        <FailureNotice error={invitation.error} onRetry={() => invitation.refetch()} />
      </AuthFrame>
    )
  if (!invitation.data)
    return (
      <AuthFrame title="Your invitation" lead="Loading…">
        <div className="space-y-4" role="status" aria-label="Loading">
          <Skeleton className="h-9 w-full" />
          <Skeleton className="h-9 w-full" />
        </div>
      </AuthFrame>
    )
  const { group, role, email } = invitation.data
  return (
    <AuthFrame
      title={`Join ${group}`}
      lead={
        <>
          You are invited as <strong className="font-medium text-ink">{role}</strong>. Enter your name and
          choose a password.
        </>
      }
    >
      <JoinForm token={token} email={email} />
    </AuthFrame>
  )
}

function BadLink() {
  return (
    <AuthFrame
      title="This invitation link is not valid"
      lead="It was already used, has expired, was revoked, or is incomplete."
    >
      <Notice tone="info" title="What to do">
        Check that you copied the whole link, or ask a group owner for a new one. If you have already joined,
        sign in.
      </Notice>
      <Link to="/sign-in" className={`${buttonClass()} mt-5 self-start`}>
        Sign in
      </Link>
    </AuthFrame>
  )
}
