import { useState } from 'react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { toast } from 'sonner'
import { defaultModel } from '#agents/contract'
import { call, type Given } from '../../api/client.ts'
import { modelsQuery } from '../../api/models.ts'
import { refreshQueries } from '../../api/refresh-queries.ts'
import { errorOf, FormDialog } from '../../ui/form-dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { AgentConfigFields } from './agent-config-fields.tsx'
import { agentsKey } from '../../api/agents.ts'
import { idOf, type PermissionMode } from './agent-words.ts'

const empty = {
  name: '',
  /** Undefined: the one that the name suggests. */
  id: undefined as string | undefined,
  model: defaultModel as string,
  description: '',
  system_prompt: '',
  permission_mode: 'default' as PermissionMode,
}

/** A new agent. It touches no database until its page has given it a policy. */
export function AgentDialog({ groupId, onClose }: { groupId: string; onClose: () => void }) {
  const [draft, setDraft] = useState(empty)
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const { data: models = [] } = useQuery(modelsQuery(groupId))
  const create = useCreateAgent(groupId)
  const { system_prompt, permission_mode, id = idOf(draft.name), ...fields } = draft
  const submit = () => create.mutate({ ...fields, id, config: { system_prompt, permission_mode } })
  return (
    <FormDialog
      title="Add agent"
      description="What it may do in databases is set on its page."
      action="Add agent"
      wide
      busy={create.isPending}
      error={create.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Name"
          required
          autoFocus
          maxLength={100}
          error={errorOf(create.error, 'name')}
          value={draft.name}
          onChange={(name) => change({ name })}
        />
        <TextField
          label="ID"
          required
          maxLength={63}
          pattern="[a-z0-9][a-z0-9\-]*"
          title="Small letters, digits and -"
          hint="It cannot be changed later."
          error={errorOf(create.error, 'id')}
          value={id}
          onChange={(given) => change({ id: given })}
        />
      </div>
      <TextField
        label="Model"
        required
        maxLength={200}
        list="agent-models"
        hint="“default” is the group's default model; or any model that the gateway serves."
        error={errorOf(create.error, 'model')}
        value={draft.model}
        onChange={(model) => change({ model })}
      />
      <datalist id="agent-models">
        {models.map((model) => (
          <option key={model.id} value={model.id} />
        ))}
      </datalist>
      <TextField
        label="Description"
        maxLength={1_000}
        error={errorOf(create.error, 'description')}
        value={draft.description}
        onChange={(description) => change({ description })}
      />
      <AgentConfigFields
        value={draft}
        onChange={change}
        promptError={errorOf(create.error, 'config.system_prompt')}
      />
    </FormDialog>
  )
}

function useCreateAgent(groupId: string) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (body: Given<'POST', '/api/agents'>['body']) => call('POST', '/api/agents', { body }),
    onSuccess: async ({ id }) => {
      await refreshQueries(queryClient, { queryKey: agentsKey(groupId) })
      toast.success('Agent added')
      await navigate({ to: '/agents/$id', params: { id } })
    },
  })
}
