import { useState } from 'react'
import type { Agent } from '#agents/contract'
import { Button } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { AgentConfigFields } from './agent-config-fields.tsx'
import { useAgentChange } from './use-agent-change.ts'
import { TextField } from '../../ui/text-field.tsx'

interface AgentSettingsProps {
  groupId: string
  agent: Agent
  mayChange: boolean
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
          <TextField
            label="Name"
            maxLength={100}
            value={draft.name}
            onChange={(text) => change({ name: text })}
          />
          <TextField
            label="Model"
            hint="As the gateway knows it, or “default”."
            maxLength={200}
            value={draft.model}
            onChange={(text) => change({ model: text })}
          />
        </div>
        <AgentConfigFields value={draft} onChange={change} />
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
