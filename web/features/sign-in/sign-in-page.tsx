import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { SignInOptions } from '#access/contract'
import { call } from '../../api/client.ts'
import { EntryFrame } from '../../shell/entry-frame.tsx'
import { returnPath } from '../../shell/return-path.ts'
import { buttonClass } from '../../ui/button.tsx'
import { FailureNotice, Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { PasswordForm } from './password-form.tsx'
import { ProviderButton } from './provider-button.tsx'

const route = getRouteApi('/sign-in')

export function SignInPage() {
  const next = returnPath(route.useSearch().next)
  const options = useQuery({
    queryKey: ['sign-in-options'],
    queryFn: () => call<SignInOptions>('GET', '/api/auth/options'),
  })
  return (
    <EntryFrame title="Sign in" lead="To the box of your team.">
      {options.error && <FailureNotice error={options.error} onRetry={() => options.refetch()} />}
      {options.isPending && (
        <div className="space-y-4" role="status" aria-label="Loading">
          <Skeleton className="h-9 w-full" />
          <Skeleton className="h-9 w-full" />
        </div>
      )}
      {options.data && <Ways options={options.data} next={next} />}
    </EntryFrame>
  )
}

function Ways({ options, next }: { options: SignInOptions; next: string }) {
  const { local, password, oidc } = options
  return (
    <div className="space-y-5">
      {local && (
        <Notice tone="info" title="No sign-in is needed on this machine.">
          <Link to="/" className={`${buttonClass('plain', 'small')} mt-2`}>
            Go to the dashboard
          </Link>
        </Notice>
      )}
      {oidc && <ProviderButton name={oidc.name} next={next} />}
      {oidc && password && (
        <p className="flex items-center gap-3 text-xs text-ink-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          or
        </p>
      )}
      {password && <PasswordForm next={next} />}
      {!local && !password && !oidc && (
        <Notice tone="caution" title="No way to sign in is set up.">
          Whoever runs the box can turn on passwords or single sign-on in its configuration.
        </Notice>
      )}
      {password && (
        <p className="text-xs text-ink-faint">
          No account yet? Ask an owner of your group for an invitation link. The first owner gets theirs from
          the server’s log.
        </p>
      )}
    </div>
  )
}
