import { useState, type FormEvent } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { ApiError, call } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FailureNotice, Notice } from '../../ui/notice.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { TextField } from '../../ui/text-field.tsx'

export function PasswordForm({ next }: { next: string }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const queryClient = useQueryClient()
  const router = useRouter()
  const signIn = useMutation({
    mutationFn: () => call('POST', '/api/auth/sign-in/email', { body: { email, password } }),
    onSuccess: () => {
      queryClient.clear()
      router.history.push(next)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate()
  }
  return (
    <form onSubmit={submit} className="space-y-4">
      <TextField
        label="Email"
        type="email"
        required
        autoFocus
        autoComplete="username"
        value={email}
        onChange={setEmail}
      />
      <Field label="Password">
        {(ids) => (
          <PasswordInput
            {...ids}
            required
            autoComplete="current-password"
            value={password}
            onValue={setPassword}
          />
        )}
      </Field>
      {signIn.error && <SignInError error={signIn.error} />}
      <Button type="submit" look="primary" busy={signIn.isPending} className="w-full">
        Sign in
      </Button>
    </form>
  )
}

function SignInError({ error }: { error: Error }) {
  const wrong = error instanceof ApiError && error.status === 401
  if (!wrong) return <FailureNotice error={error} />
  return (
    <Notice tone="danger" title="Incorrect email or password.">
      Check both and try again. If you forgot your password, ask your administrator.
    </Notice>
  )
}
