import { useQuery, useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { LogIn } from 'lucide-react'
import type { SignInOptions } from '#access/contract'
import { call } from '../../api/client.ts'
import { AuthFrame } from '../../shell/auth-frame.tsx'
import { returnPath } from '../../shell/return-path.ts'
import { FailureNotice, Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Button } from '../../ui/button.tsx'
import { PasswordForm } from './password-form.tsx'

const route = getRouteApi('/sign-in')

export function SignInPage() {
  const next = returnPath(route.useSearch().next)
  const options = useQuery({
    queryKey: ['sign-in-options'],
    queryFn: () => call('GET', '/api/auth/options'),
  })
  return (
    <AuthFrame title="Sign in" lead="Use your Signalbox account.">
      {options.error && <FailureNotice error={options.error} onRetry={() => options.refetch()} />}
      {options.isPending && (
        <div className="space-y-4" role="status" aria-label="Loading">
          <Skeleton className="h-9 w-full" />
          <Skeleton className="h-9 w-full" />
        </div>
      )}
      {options.data && <SignInMethods options={options.data} next={next} />}
    </AuthFrame>
  )
}

function SignInMethods({ options, next }: { options: SignInOptions; next: string }) {
  const { local, password, oidc } = options
  return (
    <div className="space-y-5">
      {local && (
        <Notice tone="info" title="Open the link from the terminal.">
          Signalbox printed it when it started; opening it signs you in as the owner. To print it again, run:
          <code className="mt-2 block font-mono text-xs select-all">npx signalbox open</code>
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
        <Notice tone="warning" title="No sign-in method is configured.">
          Ask your administrator to turn on passwords or single sign-on.
        </Notice>
      )}
      {password && (
        <p className="text-xs text-ink-faint">
          No account yet? Ask a group owner for an invitation link.
          {!local && ' The server printed the link for the first owner when it started.'}
        </p>
      )}
    </div>
  )
}

/** Single sign-on: the server returns the address of the identity provider, the browser opens it. */
function ProviderButton({ name, next }: { name: string; next: string }) {
  const begin = useMutation({
    mutationFn: () =>
      call('POST', '/api/auth/sign-in/social', { body: { provider: 'oidc', callbackURL: next } }),
    onSuccess: ({ url }) => location.assign(url),
  })
  return (
    <div className="space-y-3">
      <Button icon={LogIn} busy={begin.isPending} onClick={() => begin.mutate()} className="w-full">
        Continue with {name}
      </Button>
      {begin.error && <FailureNotice error={begin.error} />}
    </div>
  )
}
