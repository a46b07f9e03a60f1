import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import { Undo2 } from 'lucide-react'
import { toast } from 'sonner'
import type { MigrationDetail } from '#sql/contract'
import { call } from '../../../api/client.ts'
import { useChange } from '../../../api/refresh-queries.ts'
import { Button } from '../../../ui/button.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { Card } from '../../../ui/page.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { sqlKey } from '../sql-queries.ts'
import { StatementText } from '../statement-text.tsx'

/** The way back, or why there is none. */
export function RollbackCard({ groupId, migration }: { groupId: string; migration: MigrationDetail }) {
  const [isAsking, setAsking] = useState(false)
  const { rollback, rollback_reason, rollback_approval_id, state } = migration
  if (state !== 'applied') return null
  return (
    <Card title="Roll back" {...(rollback === null ? {} : { description: wayWords(rollback.is_derived) })}>
      {rollback === null ? (
        <p className="text-sm text-ink-soft">{rollback_reason}</p>
      ) : (
        <>
          <StatementText sql={rollback.statements.join(';\n')} className="mb-3" />
          <Button icon={Undo2} onClick={() => setAsking(true)}>
            Roll back
          </Button>
        </>
      )}
      {rollback_approval_id !== null && (
        <p className="mt-3 text-sm">
          <Link
            className="text-accent hover:underline"
            to="/sql/approvals/$id"
            params={{ id: rollback_approval_id }}
          >
            Approval of the rollback
          </Link>
        </p>
      )}
      {isAsking && (
        <RollbackDialog groupId={groupId} migration={migration} onClose={() => setAsking(false)} />
      )}
    </Card>
  )
}

const wayWords = (isDerived: boolean): string =>
  isDerived
    ? 'No way back was given. What it created is dropped, as long as its tables are empty.'
    : 'The way back that came with it. Afterwards it may run again.'

interface RollbackDialogProps {
  groupId: string
  migration: MigrationDetail
  onClose: () => void
}

function RollbackDialog({ groupId, migration, onClose }: RollbackDialogProps) {
  const [reason, setReason] = useState('')
  const { id, name, database } = migration
  const { mutate, isPending, error } = useChange(sqlKey(groupId), () =>
    call('POST', '/api/v1/sql/migrations/{id}/rollback', { path: { id }, body: { reason } }),
  )
  const submit = () =>
    mutate(undefined, {
      onSuccess: ({ status }) => {
        if (status === 'executed') toast.success('Migration rolled back')
        else toast.info('The rollback waits for approval')
        onClose()
      },
    })
  return (
    <FormDialog
      title="Roll back the migration"
      description={`The statements run in one transaction in ${database}, if the policy allows them, and ${name} is removed from its list of migrations.`}
      action="Roll back"
      busy={isPending}
      error={error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Reason" value={reason} onChange={setReason} required maxLength={1_000} />
    </FormDialog>
  )
}
