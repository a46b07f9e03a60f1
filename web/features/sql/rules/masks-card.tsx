import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import type { OfferedDatabase } from '#sql/contract'
import { call } from '../../../api/client.ts'
import type { CurrentGroup } from '../../../api/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { ChipsField } from '../../../ui/chips-field.tsx'
import { FormDialog, useForm } from '../../../ui/form-dialog.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'
import { Card } from '../../../ui/page.tsx'
import { ListSkeleton } from '../../../ui/skeleton.tsx'
import { Table } from '../../../ui/table.tsx'
import { databasesQuery, sqlKey } from '../sql-queries.ts'

interface MasksCardProps {
  group: CurrentGroup
  manages: boolean
}

/** Columns whose values nobody gets, by database. */
export function MasksCard({ group, manages }: MasksCardProps) {
  const databases = useQuery(databasesQuery(group.id))
  const [edited, setEdited] = useState<OfferedDatabase | null>(null)
  return (
    <Card
      title="Masked columns"
      description="For every agent and person: queries return ••• for strings and no value for anything else."
    >
      {databases.error && <FailureNotice error={databases.error} onRetry={() => databases.refetch()} />}
      {databases.isPending && <ListSkeleton />}
      {databases.data && (
        <Table
          label="Masked columns"
          rows={databases.data}
          rowKey={({ name }) => name}
          columns={[
            { name: 'Database', value: ({ name }) => name, className: 'text-sm font-medium' },
            { name: 'Masked', cell: ({ masked_columns: masks }) => <Patterns patterns={masks} /> },
            {
              name: 'Actions',
              cell: (database) =>
                manages && (
                  <IconButton
                    label={`Edit the masked columns of ${database.name}`}
                    icon={Pencil}
                    onClick={() => setEdited(database)}
                  />
                ),
            },
          ]}
        />
      )}
      {edited && <MasksDialog groupId={group.id} database={edited} onClose={() => setEdited(null)} />}
    </Card>
  )
}

function Patterns({ patterns }: { patterns: readonly string[] }) {
  if (patterns.length === 0) return <span className="text-sm text-ink-faint">None</span>
  return (
    <span className="flex flex-wrap gap-1.5">
      {patterns.map((pattern) => (
        <Badge key={pattern} mono>
          {pattern}
        </Badge>
      ))}
    </span>
  )
}

interface MasksDialogProps {
  groupId: string
  database: OfferedDatabase
  onClose: () => void
}

function MasksDialog({ groupId, database, onClose }: MasksDialogProps) {
  const [masks, setMasks] = useState<string[]>([...database.masked_columns])
  const form = useForm(sqlKey(groupId), 'Masked columns changed', onClose, () =>
    call('PATCH', '/api/v1/sql/databases/{name}', {
      path: { name: database.name },
      body: { masked_columns: masks, group_id: groupId },
    }),
  )
  return (
    <FormDialog
      {...form}
      title="Masked columns"
      description={`In the database ${database.name}, for every agent and person.`}
      action="Save masked columns"
    >
      <ChipsField
        label="Columns"
        hint="A column (email), a column of a table (users.email), any part with * (billing.*.iban), or a word in the comments of columns (tag:pii for @pii)."
        placeholder="users.email"
        value={masks}
        onChange={setMasks}
      />
    </FormDialog>
  )
}
