import { useMutation } from '@tanstack/react-query'
import { LogIn } from 'lucide-react'
import { call } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/notice.tsx'

/** Single sign-on: the server returns the address of the identity provider, the browser opens it. */
export function ProviderButton({ name, next }: { name: string; next: string }) {
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
