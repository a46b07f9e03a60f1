import { useState, type FormEvent } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../../api/client.ts'
import { selectedGroup } from '../../api/selected-group.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { newPasswordHint, newPasswordProblem } from '../../ui/password.ts'
import { TextField } from '../../ui/text-field.tsx'

/** An invitation for an email address works for that address only. */
export function JoinForm({ token, email: fixedEmail }: { token: string; email: string | null }) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState(fixedEmail ?? '')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const accept = useMutation({
    mutationFn: () =>
      call('POST', '/api/auth/invitation/accept', { body: { token, name: name.trim(), email, password } }),
    onSuccess: async () => {
      selectedGroup.set(null)
      queryClient.clear()
      await navigate({ to: '/' })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = newPasswordProblem(password)
    setProblem(found)
    if (found === undefined) accept.mutate()
  }
  return (
    <form onSubmit={submit} className="space-y-4">
      <TextField
        label="Name"
        required
        autoFocus
        maxLength={100}
        autoComplete="name"
        value={name}
        onChange={setName}
      />
      <TextField
        label="Email"
        hint={fixedEmail === null ? undefined : 'This invitation is for this address only.'}
        type="email"
        required
        readOnly={fixedEmail !== null}
        maxLength={254}
        autoComplete="username"
        value={email}
        onChange={setEmail}
      />
      <Field label="Password" hint={newPasswordHint} error={problem}>
        {(ids) => (
          <PasswordInput
            {...ids}
            required
            autoComplete="new-password"
            value={password}
            onValue={setPassword}
          />
        )}
      </Field>
      {accept.error && <FailureNotice error={accept.error} />}
      <Button type="submit" look="primary" busy={accept.isPending} className="w-full">
        Join group
      </Button>
    </form>
  )
}
