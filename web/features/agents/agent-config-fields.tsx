import { ChoiceField, TextareaField } from '../../ui/text-field.tsx'
import { modeChoices, type PermissionMode } from './agent-words.ts'

interface AgentConfig {
  system_prompt: string
  permission_mode: PermissionMode
}

interface AgentConfigFieldsProps {
  value: AgentConfig
  onChange: (part: Partial<AgentConfig>) => void
  promptError?: string | undefined
}

/** The settings that a new agent and an existing one have in common. */
export function AgentConfigFields({ value, onChange, promptError }: AgentConfigFieldsProps) {
  return (
    <>
      <ChoiceField
        label="Permissions"
        value={value.permission_mode}
        choices={modeChoices}
        onChange={(permission_mode) => onChange({ permission_mode })}
      />
      <TextareaField
        label="System prompt"
        error={promptError}
        className="max-h-96 min-h-32 font-mono text-xs"
        maxLength={50_000}
        value={value.system_prompt}
        onChange={(text) => onChange({ system_prompt: text })}
      />
    </>
  )
}
