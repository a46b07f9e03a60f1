import { useState, type FormEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import { PlugZap } from 'lucide-react'
import { toast } from 'sonner'
import type { OfferedDatabase } from '#sql/contract'
import { call } from '../../../api/client.ts'
import { splitFieldErrors } from '../../../api/field-errors.ts'
import { useChange } from '../../../api/refresh-queries.ts'
import { Button } from '../../../ui/button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Dialog, DialogActions, DialogBody } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { FailureNotice, Notice } from '../../../ui/notice.tsx'
import { PasswordInput } from '../../../ui/password-input.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { ListSkeleton } from '../../../ui/skeleton.tsx'
import { setupScriptQuery, sqlKey } from '../sql-queries.ts'

interface SetupDialogProps {
  groupId: string
  database: OfferedDatabase
  onClose: () => void
}

const ways = [
  { id: 'address', label: 'With an address' },
  { id: 'script', label: 'Script for a DBA' },
] as const

/** Roles for the agents: made now with an administrator's address, or by a script that somebody else runs. */
export function SetupDialog({ groupId, database, onClose }: SetupDialogProps) {
  const [way, setWay] = useState<(typeof ways)[number]['id']>('address')
  const Way = way === 'address' ? ByAddress : ByScript
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Set up “${database.name}”`}
      description={`Creates three weak roles for agents, who may then change rows, and the structure of ${database.schemas.join(', ')}. It is safe to repeat, and one that fails changes nothing.`}
      wide
      sticky
    >
      <div className="px-5 pt-4 sm:px-6">
        <Segmented label="How to set it up" choices={ways} value={way} onChange={setWay} />
      </div>
      <Way groupId={groupId} database={database} onClose={onClose} />
    </Dialog>
  )
}

function ByAddress({ groupId, database: { name }, onClose }: SetupDialogProps) {
  const [url, setUrl] = useState('')
  const setUp = useChange(sqlKey(groupId), () =>
    call('POST', '/api/v1/sql/databases/{name}/setup', {
      path: { name },
      body: url.trim() === '' ? {} : { url: url.trim() },
    }),
  )
  const { problems, rest } = splitFieldErrors(setUp.error, ['url'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setUp.mutate(undefined, {
      onSuccess: () => {
        toast.success(`${name} is set up`)
        onClose()
      },
    })
  }
  return (
    <form onSubmit={submit} className="flex min-h-0 flex-1 flex-col">
      <DialogBody>
        <Field
          label="Administrator’s address"
          hint="Used once and not stored. The login needs CREATEROLE and the rights of the tables’ owners; no superuser is needed. Empty: the stored address is used."
          error={problems.url}
        >
          {(ids) => (
            <PasswordInput
              {...ids}
              what="address"
              autoComplete="off"
              spellCheck={false}
              placeholder="postgresql://admin:password@host:5432/database"
              maxLength={2_000}
              value={url}
              onValue={setUrl}
            />
          )}
        </Field>
        {rest !== null && rest !== undefined && <FailureNotice error={rest} />}
      </DialogBody>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" busy={setUp.isPending}>
          Set up
        </Button>
      </DialogActions>
    </form>
  )
}

function ByScript({ groupId, database: { name }, onClose }: SetupDialogProps) {
  const script = useQuery(setupScriptQuery(groupId, name))
  const test = useChange(sqlKey(groupId), () =>
    call('POST', '/api/v1/sql/databases/{name}/test', { path: { name } }),
  )
  const check = () =>
    test.mutate(undefined, {
      onSuccess: ({ is_set_up }) => {
        if (!is_set_up) return
        toast.success(`${name} is set up`)
        onClose()
      },
    })
  return (
    <>
      <DialogBody>
        <p className="text-sm text-ink-soft">
          An administrator reads it and runs it in the database. It has no passwords, only their verifiers.
          The roles are used as soon as they can log in.
        </p>
        {script.error && <FailureNotice error={script.error} onRetry={() => script.refetch()} />}
        {script.isPending && <ListSkeleton />}
        {script.data !== undefined && (
          <div className="max-h-80 overflow-auto rounded-xl">
            <CodeBlock source={script.data} language="sql" what="script" />
          </div>
        )}
        {test.data && !test.data.is_set_up && (
          <Notice tone="warning" title="The roles cannot log in yet">
            Run the script in the database, then check again.
          </Notice>
        )}
        {test.error && <FailureNotice error={test.error} />}
      </DialogBody>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <Button look="primary" icon={PlugZap} busy={test.isPending} onClick={check}>
          Check whether it was run
        </Button>
      </DialogActions>
    </>
  )
}
