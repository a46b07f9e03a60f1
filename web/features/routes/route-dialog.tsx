import { useState } from 'react'
import { toast } from 'sonner'
import { strategies, type NamedRoute } from '#gateway/contract'
import { ApiError } from '../../api/client.ts'
import { errorOf, FormDialog } from '../../ui/form-dialog.tsx'
import { ChoiceField, TextField } from '../../ui/text-field.tsx'
import { bodyOf, draftOf, newRoute, type RouteDraft } from './route-draft.ts'
import { useSaveRoute } from './route-queries.ts'
import { strategyWords } from './route-words.ts'
import { TargetList } from './target-list.tsx'

const choices = strategies.map((id) => ({ id, label: strategyWords[id].label }))

interface RouteDialogProps {
  groupId: string
  /** Absent for a new one. */
  route?: NamedRoute
  onClose: () => void
}

export function RouteDialog({ groupId, route, onClose }: RouteDialogProps) {
  const [draft, setDraft] = useState(() => (route ? draftOf(route) : newRoute()))
  const save = useSaveRoute(groupId, route)
  const change = (part: Partial<RouteDraft>) => setDraft({ ...draft, ...part })
  const submit = () =>
    save.mutate(bodyOf(draft), {
      onSuccess: () => {
        toast.success(`Route “${draft.name.trim()}” ${route ? 'updated' : 'created'}`)
        onClose()
      },
    })
  return (
    <FormDialog
      title={route ? `Edit “${route.name}”` : 'Create route'}
      description="Apps use its name as a model, from the next request on."
      action={route ? 'Save changes' : 'Create route'}
      wide
      busy={save.isPending}
      error={isShownAtField(save.error) ? null : save.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Name"
          required
          autoFocus
          maxLength={100}
          pattern="[!-~]+"
          title="No spaces"
          placeholder="fast"
          className="font-mono"
          error={errorOf(save.error, 'name')}
          value={draft.name}
          onChange={(name) => change({ name })}
        />
        <ChoiceField
          label="Which target answers"
          hint={strategyWords[draft.strategy].hint}
          value={draft.strategy}
          choices={choices}
          onChange={(strategy) => change({ strategy })}
        />
      </div>
      <TextField
        label="Description (optional)"
        maxLength={500}
        placeholder="Short answers for the support desk"
        value={draft.description}
        onChange={(description) => change({ description })}
      />
      <TargetList
        groupId={groupId}
        targets={draft.targets}
        isWeighted={draft.strategy === 'weighted'}
        error={save.error}
        onChange={(targets) => change({ targets })}
      />
      <Limits draft={draft} onChange={change} />
    </FormDialog>
  )
}

/** Those that a field of the form shows itself. */
function isShownAtField(error: unknown): boolean {
  return error instanceof ApiError && /^(name|targets\.\d+\.(model|provider_key_id))$/.test(error.param ?? '')
}

interface LimitsProps {
  draft: RouteDraft
  onChange: (part: Partial<RouteDraft>) => void
}

function Limits({ draft, onChange }: LimitsProps) {
  const number = { type: 'number', inputMode: 'decimal', placeholder: 'default' } as const
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <TextField
        {...number}
        label="Attempts"
        hint="Calls to providers at most. By default one more than targets."
        min={1}
        max={10}
        value={draft.attempts}
        onChange={(attempts) => onChange({ attempts })}
      />
      <TextField
        {...number}
        label="Time limit, in seconds"
        hint="For the whole request."
        min={0.001}
        max={3600}
        step="any"
        value={draft.timeout}
        onChange={(timeout) => onChange({ timeout })}
      />
      <TextField
        {...number}
        label="First token, in seconds"
        hint="Then the next target is tried."
        min={0.001}
        max={3600}
        step="any"
        value={draft.firstToken}
        onChange={(firstToken) => onChange({ firstToken })}
      />
    </div>
  )
}
