import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import type { CurrentGroup } from '../../../api/session.ts'
import { ChipsField } from '../../../ui/chips-field.tsx'
import { FormDialog, errorOf, useForm } from '../../../ui/form-dialog.tsx'
import { ChoiceField, TextareaField, TextField } from '../../../ui/text-field.tsx'
import { agentsQuery, databasesQuery, sqlKey } from '../sql-queries.ts'

const times = [
  { id: '30', label: '30 minutes' },
  { id: '120', label: '2 hours' },
  { id: '480', label: '8 hours' },
  { id: '1440', label: 'A day' },
  { id: '10080', label: 'A week' },
] as const

interface GrantDialogProps {
  group: CurrentGroup
  onClose: () => void
}

export function GrantDialog({ group, onClose }: GrantDialogProps) {
  const { data: agents = [] } = useQuery(agentsQuery(group.id))
  const { data: databases = [] } = useQuery(databasesQuery(group.id))
  const [draft, setDraft] = useState({ agent: '', database: '', minutes: '120', operations: '', reason: '' })
  const [tables, setTables] = useState<string[]>([])
  const [unmask, setUnmask] = useState<string[]>([])
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const agent = draft.agent || (agents[0]?.id ?? '')
  const database = draft.database || (databases[0]?.name ?? '')
  const form = useForm(sqlKey(group.id), 'Grant given', onClose, () =>
    call('POST', '/api/v1/sql/grants', {
      body: {
        agent_id: agent,
        database,
        operations: entriesOf(draft.operations),
        tables,
        unmask,
        minutes: Number(draft.minutes),
        reason: draft.reason,
        group_id: group.id,
      },
    }),
  )
  return (
    <FormDialog
      {...form}
      wide
      title="Give a grant"
      description="It wins only over what it names. What production asks for, and what no policy can allow, stays."
      action="Give grant"
    >
      <div className="grid gap-4 sm:grid-cols-3">
        <ChoiceField
          label="Agent"
          value={agent}
          choices={agents.map(({ id }) => ({ id, label: id }))}
          onChange={(next) => change({ agent: next })}
        />
        <ChoiceField
          label="Database"
          value={database}
          choices={databases.map(({ name }) => ({ id: name, label: name }))}
          onChange={(next) => change({ database: next })}
        />
        <ChoiceField
          label="For"
          value={draft.minutes}
          choices={times}
          onChange={(minutes) => change({ minutes })}
        />
      </div>
      <ChipsField
        label="Columns it sees"
        hint="Masked columns, such as users.email."
        error={errorOf(form.error, 'unmask')}
        placeholder="users.email"
        value={unmask}
        onChange={setUnmask}
      />
      <ChipsField
        label="Tables it reaches"
        hint="Tables that the policy does not allow, such as billing.invoices."
        error={errorOf(form.error, 'tables')}
        placeholder="billing.invoices"
        value={tables}
        onChange={setTables}
      />
      <TextField
        label="Operations that run at once"
        hint="With commas between them, such as CREATE VIEW, DROP INDEX."
        error={errorOf(form.error, 'operations')}
        className="font-mono"
        placeholder="CREATE VIEW"
        value={draft.operations}
        onChange={(operations) => change({ operations })}
      />
      <TextareaField
        label="Reason"
        hint="For the audit log."
        error={errorOf(form.error, 'reason')}
        required
        value={draft.reason}
        onChange={(reason) => change({ reason })}
      />
    </FormDialog>
  )
}

const entriesOf = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
