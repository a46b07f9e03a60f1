import { useState, type FormEvent } from 'react'
import { useMutation } from '@tanstack/react-query'
import { toast } from 'sonner'
import { call } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { newPasswordHint, newPasswordProblem } from '../../ui/password.ts'

export function ChangePassword() {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [problem, setProblem] = useState<string>()
  const change = useMutation({
    mutationFn: () =>
      call('POST', '/api/auth/change-password', {
        body: { currentPassword: current, newPassword: next },
      }),
    onSuccess: () => {
      setCurrent('')
      setNext('')
      toast.success('Password changed', { description: 'Your other sessions were signed out.' })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = newPasswordProblem(next)
    setProblem(found)
    if (found === undefined) change.mutate()
  }
  return (
    <Card title="Password" description="Changing it signs you out in other browsers.">
      <form onSubmit={submit} className="max-w-sm space-y-4">
        <Field label="Current password">
          {(ids) => (
            <PasswordInput
              {...ids}
              required
              autoComplete="current-password"
              value={current}
              onValue={setCurrent}
            />
          )}
        </Field>
        <Field label="New password" hint={newPasswordHint} error={problem}>
          {(ids) => (
            <PasswordInput {...ids} required autoComplete="new-password" value={next} onValue={setNext} />
          )}
        </Field>
        {change.error && <FailureNotice error={change.error} />}
        <Button type="submit" busy={change.isPending}>
          Change password
        </Button>
      </form>
    </Card>
  )
}
