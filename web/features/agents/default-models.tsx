import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { DefaultModels, DefaultUse } from '#gateway/contract'
import { defaultsQuery, useSetDefault } from '../../api/default-models.ts'
import { modelsQuery } from '../../api/models.ts'
import { Link } from '@tanstack/react-router'
import { Button, buttonClass } from '../../ui/button.tsx'
import { dayText } from '../../ui/days.ts'
import { FailureNotice, Notice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { TextField } from '../../ui/text-field.tsx'

/** Not the ID of the section, which links lead to: a field takes its suggestions from the first element with the ID. */
const suggestionsId = 'default-model-suggestions'

const labels: Record<DefaultUse, string> = { agents: 'Agents', standups: 'Stand-ups' }
const sources: Record<DefaultModels['data'][number]['source'], string> = {
  group: 'Set for this group.',
  server: 'Set for the server.',
  automatic: 'The newest capable model of your providers.',
}

/** The models of agents and stand-ups that name none; admins and owners change them here. */
export function DefaultModelsCard({ groupId, mayChange }: { groupId: string; mayChange: boolean }) {
  const { data, error, refetch } = useQuery(defaultsQuery(groupId))
  const { data: models } = useQuery(modelsQuery(groupId))
  const hasNoKey = data?.suggestions.length === 0 && models?.length === 0
  if (error && !data) return <FailureNotice error={error} onRetry={refetch} />
  return (
    <section id="default-models" className="scroll-mt-6">
      <Card title="Default models" description="For agents with the model “default”, and for stand-ups.">
        {hasNoKey && (
          <div className="mb-4">
            <Notice tone="warning" title="The group has no provider key">
              <p>
                Agents and stand-ups need one. With the first, a model of its provider is chosen
                automatically.
              </p>
              <Link to="/providers" className={`${buttonClass('plain', 'small')} mt-2.5 mb-0.5`}>
                {mayChange ? 'Add provider key' : 'Open providers'}
              </Link>
            </Notice>
          </div>
        )}
        <div className="grid gap-5 sm:grid-cols-2">
          {data?.data.map((each) => (
            <DefaultModel
              key={`${each.use} ${each.model} ${each.source}`}
              {...{ groupId, mayChange, hasNoKey, ...each }}
            />
          ))}
        </div>
        <datalist id={suggestionsId}>
          {models?.map((model) => (
            <option key={model.id} value={model.id} />
          ))}
        </datalist>
      </Card>
    </section>
  )
}

type DefaultModelProps = DefaultModels['data'][number] & {
  groupId: string
  mayChange: boolean
  hasNoKey: boolean
}

function DefaultModel({ groupId, mayChange, hasNoKey, use, model, source, retires_on }: DefaultModelProps) {
  const [draft, setDraft] = useState(model)
  const save = useSetDefault(groupId, use)
  return (
    <fieldset disabled={!mayChange} className="space-y-3">
      <TextField
        label={labels[use]}
        maxLength={300}
        list={suggestionsId}
        hint={
          hasNoKey && source === 'automatic' ? 'Chosen again when you add a provider key.' : sources[source]
        }
        value={draft}
        onChange={setDraft}
      />
      {retires_on !== null && (
        <Notice tone="danger" title={`The provider retires this model on ${dayText(retires_on)}`} />
      )}
      {save.error && <FailureNotice error={save.error} />}
      {mayChange && (
        <div className="flex gap-2">
          <Button
            disabled={draft.trim() === '' || draft === model}
            busy={save.isPending}
            onClick={() => save.mutate(draft)}
          >
            Save model
          </Button>
          {source === 'group' && (
            <Button look="quiet" onClick={() => save.mutate(null)}>
              Choose automatically
            </Button>
          )}
        </div>
      )}
    </fieldset>
  )
}
