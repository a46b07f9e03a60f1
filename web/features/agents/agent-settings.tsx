import { useState } from 'react'
import { permissionModes, type Agent } from '#agents/contract'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input, Select, Textarea } from '../../ui/input.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { useAgentChange } from './use-agent-change.ts'

interface AgentSettingsProps {
  groupId: string
  agent: Agent
  mayChange: boolean
}

const modeWords: Record<(typeof permissionModes)[number], string> = {
  default: 'Asks before it changes something',
  plan: 'Only reads',
  acceptEdits: 'Asks before it destroys something',
  dontAsk: 'Does without what would need to be asked',
  bypassPermissions: 'Never asks; the SQL policy still applies',
}

export function AgentSettings({ groupId, agent, mayChange }: AgentSettingsProps) {
  const { config } = agent
  const before = {
    name: agent.name,
    model: agent.model,
    system_prompt: config.system_prompt,
    permission_mode: config.permission_mode,
  }
  const [draft, setDraft] = useState(before)
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const save = useAgentChange(groupId, agent)
  const { system_prompt, permission_mode, ...fields } = draft
  const servers = Object.entries(config.mcp_servers)
  return (
    <Card title="Settings">
      <fieldset disabled={!mayChange} className="space-y-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Name">
            {(ids) => (
              <Input
                {...ids}
                maxLength={100}
                value={draft.name}
                onChange={(event) => change({ name: event.target.value })}
              />
            )}
          </Field>
          <Field label="Model" hint="As the gateway knows it.">
            {(ids) => (
              <Input
                {...ids}
                maxLength={200}
                value={draft.model}
                onChange={(event) => change({ model: event.target.value })}
              />
            )}
          </Field>
        </div>
        <Field label="Permissions">
          {(ids) => (
            <Select
              {...ids}
              value={permission_mode}
              onChange={(event) => change({ permission_mode: event.target.value as typeof permission_mode })}
            >
              {permissionModes.map((mode) => (
                <option key={mode} value={mode}>
                  {modeWords[mode]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="System prompt">
          {(ids) => (
            <Textarea
              {...ids}
              className="max-h-96 min-h-32 font-mono text-xs"
              maxLength={50_000}
              value={system_prompt}
              onChange={(event) => change({ system_prompt: event.target.value })}
            />
          )}
        </Field>
        {servers.length > 0 && (
          <p className="text-sm text-ink-soft">{`Tool servers: ${servers.map(([name]) => name).join(', ')}`}</p>
        )}
        {save.error && <FailureNotice error={save.error} />}
        {mayChange && (
          <Button
            disabled={JSON.stringify(draft) === JSON.stringify(before)}
            busy={save.isPending}
            onClick={() => save.mutate({ ...fields, config: { system_prompt, permission_mode } })}
          >
            Save settings
          </Button>
        )}
      </fieldset>
    </Card>
  )
}
