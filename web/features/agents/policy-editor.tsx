import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import type { Agent } from '#agents/contract'
import { policySchema, storedPolicySchema, type Policy } from '#sql/contract'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/input.tsx'
import { FailureNotice, Notice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { useAgentChange } from './use-agent-change.ts'
import { TextareaField, TextField } from '../../ui/text-field.tsx'

interface PolicyEditorProps {
  groupId: string
  agent: Agent
  mayChange: boolean
}

const lists = [
  {
    name: 'allowed_databases',
    label: 'Databases',
    hint: (
      <>
        The only databases that the agent reaches.{' '}
        <Link to="/sql/databases" className="text-accent underline">
          Add your own
        </Link>
      </>
    ),
  },
  {
    name: 'allowed_operations',
    label: 'Operations that run at once',
    hint: 'Such as SELECT or CREATE INDEX. DROP covers DROP TABLE.',
  },
  {
    name: 'requires_approval',
    label: 'Operations that need approval',
    hint: 'These win over the list above. What is in neither list is refused.',
  },
  {
    name: 'allowed_functions',
    label: 'Functions',
    hint: 'Volatile functions that the agent may call besides the harmless ones.',
  },
  {
    name: 'tables_allow',
    label: 'Only these tables',
    hint: 'Such as orders or billing.*. Without any, all that are not denied. Tables behind views count too.',
  },
  {
    name: 'tables_deny',
    label: 'Denied tables',
    hint: 'Not reached by any way: not by views, functions, triggers or foreign keys.',
  },
  {
    name: 'masked_columns',
    label: 'Masked columns',
    hint: 'Such as email or users.email. The agent never gets their values.',
  },
] as const

const environments = [
  { id: 'dev', label: 'Development: as listed' },
  { id: 'staging', label: 'Staging: UPDATE and DELETE without WHERE need approval' },
  { id: 'prod', label: 'Production: writes need approval unless they are listed and have a WHERE' },
] as const

type Draft = Record<(typeof lists)[number]['name'], string> & {
  environment: string
  four_eyes: string
  max_rows: string
}

/** What the agent may do in databases, as a form. */
export function PolicyEditor({ groupId, agent, mayChange }: PolicyEditorProps) {
  const policy = storedPolicySchema.safeParse(agent.config.policy).data
  const [draft, setDraft] = useState(draftOf(policy))
  const save = useAgentChange(groupId, agent)
  const read = policySchema.safeParse(policyOf(draft))
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(policy))
  return (
    <Card
      title="Policy"
      description={`Version ${agent.policy_version}. Judged by PostgreSQL’s own grammar for every statement.`}
    >
      <fieldset disabled={!mayChange} className="space-y-4">
        <div className="grid gap-4 sm:grid-cols-2">
          {lists.map(({ name, label, hint }) => (
            <TextareaField
              key={name}
              label={label}
              hint={hint}
              error={faultOf(read, name)}
              className="min-h-20 font-mono text-xs"
              value={draft[name]}
              onChange={(text) => change({ [name]: text })}
            />
          ))}
          <Field label="Environment">
            {(ids) => (
              <Select
                {...ids}
                value={draft.environment}
                onChange={(event) => change({ environment: event.target.value })}
              >
                {environments.map(({ id, label }) => (
                  <option key={id} value={id}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label="Four eyes" hint="Whether someone other than the person who asked has to approve.">
            {(ids) => (
              <Select
                {...ids}
                value={draft.four_eyes}
                onChange={(event) => change({ four_eyes: event.target.value })}
              >
                <option value="">In production, with a second admin</option>
                <option value="yes">Always</option>
                <option value="no">Never</option>
              </Select>
            )}
          </Field>
          <TextField
            label="Rows of a result"
            hint="At most 10,000. Without a number, what each call asks for."
            error={faultOf(read, 'max_rows')}
            inputMode="numeric"
            value={draft.max_rows}
            onChange={(max_rows) => change({ max_rows })}
          />
        </div>
        {save.error && <FailureNotice error={save.error} />}
        {!mayChange && <Notice tone="info" title="Admins and owners change policies." />}
        {mayChange && (
          <Button
            look="primary"
            disabled={!isChanged || !read.success}
            busy={save.isPending}
            onClick={() => save.mutate({ config: { policy: read.data } })}
          >
            Save policy
          </Button>
        )}
      </fieldset>
    </Card>
  )
}

function draftOf(policy: Policy | undefined): Draft {
  const lines = (values: readonly string[] | undefined): string => (values ?? []).join('\n')
  return {
    allowed_databases: lines(policy?.allowed_databases),
    allowed_operations: lines(policy?.allowed_operations),
    requires_approval: lines(policy?.requires_approval),
    allowed_functions: lines(policy?.allowed_functions),
    tables_allow: lines(policy?.tables?.allow),
    tables_deny: lines(policy?.tables?.deny),
    masked_columns: lines(policy?.masked_columns),
    max_rows: String(policy?.max_rows ?? ''),
    environment: policy?.environment ?? 'dev',
    four_eyes: policy?.four_eyes === undefined ? '' : policy.four_eyes ? 'yes' : 'no',
  }
}

/** One entry per line; a comma separates as well. */
function policyOf(draft: Draft): unknown {
  const entries = (text: string): string[] =>
    text
      .split(/[\n,]/)
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
  const functions = entries(draft.allowed_functions)
  const [allow, deny] = [entries(draft.tables_allow), entries(draft.tables_deny)]
  const masks = entries(draft.masked_columns)
  return {
    allowed_databases: entries(draft.allowed_databases),
    allowed_operations: entries(draft.allowed_operations),
    requires_approval: entries(draft.requires_approval),
    environment: draft.environment,
    ...(functions.length > 0 && { allowed_functions: functions }),
    ...(allow.length + deny.length > 0 && {
      tables: { ...(allow.length > 0 && { allow }), ...(deny.length > 0 && { deny }) },
    }),
    ...(masks.length > 0 && { masked_columns: masks }),
    ...(draft.max_rows.trim() !== '' && { max_rows: Number(draft.max_rows) }),
    ...(draft.four_eyes !== '' && { four_eyes: draft.four_eyes === 'yes' }),
  }
}

function faultOf(read: ReturnType<typeof policySchema.safeParse>, name: string): string | undefined {
  return read.error?.issues.find(({ path }) => path.join('_').startsWith(name))?.message
}
